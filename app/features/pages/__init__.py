"""Tabs, breadcrumb, rounds and search of pages.

The way in is `page_tabs.PageTabs`, `round_bar.RoundBar` and `find_bar.FindBar`.
"""
