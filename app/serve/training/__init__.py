"""Trainer: choice of questions, stored answers, and statistics of errors.

The module `store` stores answers, `session` chooses the next question, and `statistics`
analyses errors. The module `routes` is the API.
"""
