"""Programs that train the networks and models of the package."""
