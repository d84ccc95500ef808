"""What is written on printed sheets, in English and Chinese."""

from __future__ import annotations

from typing import Final

CAPTIONS: Final[dict[str, tuple[str, str]]] = {
    "xiangqi": ("Xiangqi discs", "象棋"),
    "junqi": ("Junqi blocks", "军棋"),
    "paigow": ("Paigow dominoes", "牌九"),
    "mahjong": ("Mahjong tiles", "麻将"),
    "set": ("{family} ({which})", "{family}：{which}"),
    "numbered": ("{title}, {page}", "{title}，{page}"),
    "one_of_each": ("one of each kind", "每种一张"),
    "page": ("page {page} of {pages}", "第 {page} 页，共 {pages} 页"),
    "true_size": ("Print at 100 %, not fitted to the page.", "按 100% 打印，不要缩放。"),
    "bar": ("This line is 50 mm long", "此线长 50 毫米"),
    "cut": ("Cut along the grey lines.", "沿灰线剪下。"),
    "racks": ("Rack for {places} pieces.", "牌尺，放 {places} 枚棋子。"),
    "fold": ("Cut the solid lines; fold dashed lines away from you, dotted ones towards you; glue the ends.",
             "沿实线剪开，虚线向后折，点线向前折，两端粘牢。"),
    "lip": ("lip", "前沿"),
    "ledge": ("ledge", "底槽"),
    "back": ("back", "靠背"),
    "strut": ("strut", "撑板"),
    "base": ("base", "底板"),
    "glue": ("glue the other side under the ledge", "背面涂胶，粘在底槽下"),
    "board": ("Board for the camera (ChArUco {columns} × {rows}, {square} mm)",
              "相机标定板（{columns} × {rows} 格，每格 {square} 毫米）"),
    "flat": ("Glue it on something stiff and flat.", "贴在平整的硬板上。"),
}  # fmt: skip
"""By key: the English and the Chinese text, with places to fill in in braces."""
