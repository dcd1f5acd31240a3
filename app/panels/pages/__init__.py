"""Tabs, breadcrumb, rounds and search of pages.

It imports `live` and `look`; `startup` and the window enter.
The way in is `page_tabs.PageTabs`, `round_bar.RoundBar` and `find_bar.FindBar`.
"""
