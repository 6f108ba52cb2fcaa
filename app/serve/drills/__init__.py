"""Questions of the trainer, with marking and explanations.

`sample` has decisions that occurred in games. Each drill is a type of question; `kinds`
lists them by name, and the other modules define them. This package stores nothing.
"""
