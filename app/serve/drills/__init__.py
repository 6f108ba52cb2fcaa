"""Questions of the trainer, with marking and explanations.

`sample` holds decisions that occurred in games; each other module has drills, and `kinds`
lists them all by name. This room stores nothing.
"""
