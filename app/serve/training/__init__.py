"""Trainer: choice of questions, stored answers, and statistics of errors.

`store` stores answers, `session` chooses the next question, and `statistics` analyses
errors. `routes` is the API.
"""
