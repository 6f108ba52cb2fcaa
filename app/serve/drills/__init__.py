"""Questions of the trainer, with marking and explanations.

Each drill is a type of question. The module `kinds` lists the drills by name, and `sample`
reads decisions that occurred in games. The package stores no answers.
"""
