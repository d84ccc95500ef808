"""The conditions that the rule tables name, one small function each; importing this registers them."""

from scoring.yaku import common, junqi, mahjong, paigow, xiangqi

__all__ = ["common", "junqi", "mahjong", "paigow", "xiangqi"]
