"""Faces of pieces: what is engraved, printed or written on a tile, drawn from fonts and rules of layout."""
