"""How a phone comes to trust this machine's authority: a page with the steps, and the authority as a file.

The page must open before there is trust, so it and the files are served over plain http too, to whoever asks. They hold
nothing secret. What keeps a phone from trusting another's authority is the comparison of fingerprints, with the one in
the terminal.
"""

from __future__ import annotations

import plistlib
import uuid
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, current_app, render_template, request

from webui.authority import Certificate
from webui.errors import Refused
from webui.language import LANGUAGES, chosen_language, words

trust = Blueprint("trust", __name__, url_prefix="/trust")


@dataclass(frozen=True, slots=True)
class System:
    """A system of phones: its name, the words for its title, steps and file, and where the file is."""

    name: str
    title: str
    steps: tuple[str, ...]
    load: str
    endpoint: str


SYSTEMS: Final = (
    System(
        name="iphone",
        title="trust.iphone",
        steps=("trust.iphone_load", "trust.iphone_install", "trust.iphone_switch"),
        load="trust.load_profile",
        endpoint="trust.profile",
    ),
    System(
        name="android",
        title="trust.android",
        steps=("trust.android_load", "trust.android_install", "trust.android_compare"),
        load="trust.load_certificate",
        endpoint="trust.certificate",
    ),
)

_PROFILE_SPACE: Final = uuid.UUID("6f2d5bd2-5a0c-4c0e-9a53-1f0f1b7a4a55")
_SEEN: Final = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


def _authority() -> Certificate:
    authority: Certificate | None = current_app.config["AUTHORITY"]
    if authority is None:
        raise Refused("not_found", "There is nothing at this address.", 404)
    return authority


@trust.get("")
def page() -> str:
    """The steps, those of the visitor's own system first. `?language=` shows it in another language."""
    asked = request.args.get("language")
    language = asked if asked in LANGUAGES else chosen_language(request)
    browser = request.user_agent.string.lower()
    return render_template(
        "trust.html",
        words=words(language),
        language=language,
        languages=LANGUAGES,
        authority=_authority(),
        systems=sorted(SYSTEMS, key=lambda system: system.name not in browser),
        host=request.host,
    )


@trust.get("/hupai.crt")
def certificate() -> Response:
    """The authority as a PEM file, as Android and computers take it."""
    return Response(_authority().pem, mimetype="application/x-x509-ca-cert")


@trust.get("/hupai.mobileconfig")
def profile() -> Response:
    """The authority as a configuration profile, as iPhones and iPads take it."""
    return Response(profile_of(_authority()), mimetype="application/x-apple-aspen-config")


@trust.get("/seen.svg")
def seen() -> Response:
    """An empty picture. The page asks for it over https, and whether it comes tells whether there is trust."""
    _authority()
    return Response(_SEEN, mimetype="image/svg+xml")


def profile_of(authority: Certificate) -> bytes:
    """A configuration profile of Apple's with one root certificate; the same authority gives the same profile."""
    identity = {
        part: str(uuid.uuid5(_PROFILE_SPACE, f"{part} {authority.fingerprint}")).upper() for part in ("root", "profile")
    }
    root = {
        "PayloadType": "com.apple.security.root",
        "PayloadVersion": 1,
        "PayloadIdentifier": f"hupai.{identity['root']}",
        "PayloadUUID": identity["root"],
        "PayloadDisplayName": authority.name,
        "PayloadCertificateFileName": "hupai.crt",
        "PayloadContent": authority.der,
    }
    return plistlib.dumps(
        {
            "PayloadType": "Configuration",
            "PayloadVersion": 1,
            "PayloadIdentifier": f"hupai.{identity['profile']}",
            "PayloadUUID": identity["profile"],
            "PayloadDisplayName": authority.name,
            "PayloadOrganization": "hupai",
            "PayloadDescription": "Lets this phone trust hupai on one computer of the local network, and nothing else. "
            "让这部手机信任局域网中一台电脑上的 hupai，仅此而已。",
            "PayloadContent": [root],
        }
    )
