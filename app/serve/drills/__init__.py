"""Questions of the trainer, with marking and explanations.

`sample` has decisions that occurred in games. The other modules define drills, and `kinds`
lists all drills by name. This package stores nothing.
"""
