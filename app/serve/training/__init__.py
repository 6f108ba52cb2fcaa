"""The trainer: what is asked next, what was answered, and where the errors are.

`store` keeps what was answered, `session` chooses what is asked next, `statistics` says
where the errors are; `routes` and `session` are what the server sees.
"""
