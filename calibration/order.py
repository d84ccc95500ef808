"""The order in which the pieces of a family are laid out, so that every label is known by its place."""

from __future__ import annotations

from typing import Final

from scoring.tiles import Family, Tile, tiles_of

# How many kinds a row holds: the red and the black pieces and 天地人; both armies; civil and military dominoes; the
# three suits, the honors, and the flowers and seasons.
ROWS: Final = {
    Family.XIANGQI: (7, 7, 3),
    Family.JUNQI: (12, 12),
    Family.PAIGOW: (11, 10),
    Family.MAHJONG: (9, 9, 9, 7, 8),
}


def laid_out(family: Family) -> tuple[tuple[Tile, ...], ...]:
    """Every kind of the family once, in rows from the top, each from the left."""
    kinds = iter(tiles_of(family))
    return tuple(tuple(next(kinds) for _ in range(length)) for length in ROWS[family])
