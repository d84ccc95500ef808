"""Piece sets that users teach: in which order a set is laid out to be learned."""

from calibration.order import laid_out

__all__ = ["laid_out"]
