"""Tabs, breadcrumb, rounds and search of pages.

The way in is `page_tabs.PageTabs` and `round_bar.RoundBar`.
"""
