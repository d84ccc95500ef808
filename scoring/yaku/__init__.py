"""The conditions that the rule tables name, one small function each; importing this registers them."""

from scoring.yaku import common, junqi, paigow, xiangqi

__all__ = ["common", "junqi", "paigow", "xiangqi"]
