"""Inviting phones: the links under which the page opens, as text and QR codes in the terminal and on the page."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import segno
from flask import Blueprint, current_app, render_template, request
from markupsafe import Markup

from webui.authority import Certificate
from webui.language import chosen_language, words
from webui.trust import SYSTEMS

invite = Blueprint("invite", __name__)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Under which links the page opens: `here` on this machine, `network` from others (None where they may not come).

    `trust` is where a phone learns to trust the `authority`; both are None without https.
    """

    here: str
    network: str | None
    trust: str | None = None
    authority: Certificate | None = None

    def text(self, table: Mapping[str, str]) -> str:
        """What the terminal shows: the links, QR codes made of block characters, the steps in the words of `table`."""
        if self.network is None:
            return f"hupai is open on this machine: {self.here}\nStop it with Ctrl+C. Phones can join with --lan.\n"
        return (
            f"hupai is open on this machine: {self.here}\n"
            f"and on the network, for whoever has this link: {self.network}\n"
            f"{self._how_to_trust(table)}"
            f"{_in_the_terminal(self.network)}"
            "Scan it with a phone on the same network. The key in it is new at every start. Stop with Ctrl+C.\n"
        )

    def _how_to_trust(self, table: Mapping[str, str]) -> str:
        if self.trust is None or self.authority is None:
            return ""
        name, fingerprint = self.authority.name, self.authority.fingerprint
        lines = ["", table["trust.once"], self.trust, _in_the_terminal(self.trust)]
        for system in SYSTEMS:
            lines.append(table[system.title])
            lines += [f"  {at}. {table[step].format(name=name)}" for at, step in enumerate(system.steps, 1)]
        lines += [table["trust.compare"], f"  {fingerprint[:48]}", f"  {fingerprint[48:]}", ""]
        return "\n".join([*lines, table["trust.then"], ""])


def _in_the_terminal(link: str) -> str:
    code = io.StringIO()
    segno.make(link, error="l").terminal(out=code, compact=True)
    return code.getvalue()


def _on_the_page(link: str) -> Markup:
    """A QR code as SVG, dark on light in every colour scheme, with the margin that scanners need."""
    return Markup(segno.make(link, error="m").svg_inline(omitsize=True, dark="#000", light="#fff", svgclass="code"))


@invite.get("/invite")
def page() -> str:
    """The links for phones, with the key, for those who are in already."""
    invitation: Callable[[], Invitation] | None = current_app.config["INVITATION"]
    links = invitation() if invitation else Invitation("", None)
    language = chosen_language(request)
    return render_template(
        "invite.html",
        words=words(language),
        language=language,
        links=links,
        code=_on_the_page,
    )
