"""The packages of the wheel; pyproject.toml says the rest.

The configurations in configs/ go along as data of `app.examples`: a package `configs` of
our own might hide one of the user's, or be hidden by it.
"""

from setuptools import find_packages, setup

LAYERS = ("bearoff", "game", "sim", "analysis", "app")

setup(
    packages=[
        *find_packages(include=[*LAYERS, *(f"{layer}.*" for layer in LAYERS)]),
        "app.examples.configs",
    ],
    package_dir={"app.examples.configs": "configs"},
)
