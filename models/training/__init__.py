"""Everything that makes the networks: rendered pictures, training, export. Needs the extra `[train]`."""
