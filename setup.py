"""The packages of the wheel; pyproject.toml says the rest.

`sim`, `analysis`, `game` and `app` are folders beside `bearoff` and packages inside it: in
a clone by links in bearoff/, in the wheel by their place. So no package of ours hides one
of the user's, or is hidden by it. The configurations in configs/ go along as data.
"""

from setuptools import find_packages, setup

LAYERS = ("sim", "analysis", "game", "app")
CONFIGS = "bearoff.app.examples.configs"

inside = [
    f"bearoff.{package}"
    for layer in LAYERS
    for package in find_packages(include=[layer, f"{layer}.*"])
]
own = find_packages(
    include=["bearoff", "bearoff.*"],
    exclude=[f"bearoff.{layer}{rest}" for layer in LAYERS for rest in ("", ".*")],
)
setup(
    packages=[*own, *inside, CONFIGS],
    package_dir={**{f"bearoff.{layer}": layer for layer in LAYERS}, CONFIGS: "configs"},
)
