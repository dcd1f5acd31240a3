"""Windows that the command line opens without showing them: the state they are brought to, and what is seen there.

The way in is `states.bring` and `report.report_of`.
"""
