"""The font of printed sheets: the characters that they need of LXGW WenKai, under another name as its licence asks."""
