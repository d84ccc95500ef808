"""Who may talk to the page, and what a browser may do with it.

The page is open to this machine alone unless it has a token. With one, any machine of the network may come that was
given the link: the token stands in the link once, is exchanged for a signed cookie, and is not seen again.

- Where the page speaks https, a plain request from the network sees how to trust this machine and nothing else. This
  machine itself may use plain http: what does not leave it cannot be overheard.
- `Host` must name this machine. A page of the Internet that points its own name at this machine (DNS rebinding)
  carries its own name there. An address in figures cannot come from such a trick.
- A request that changes something must come from this page: same `Origin`, and the session's own CSRF token.
- Every answer forbids inline script and style, framing, sniffing, and sending the address of the page on.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, redirect, request, session, url_for
from flask.sessions import SecureCookieSessionInterface
from werkzeug.wrappers import Response as BaseResponse

from webui.errors import Refused
from webui.machine import is_address, is_loopback

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
PLAIN_ENDPOINTS = frozenset({"trust.page", "trust.certificate", "trust.profile", "static"})
"""What the network may see over plain http where the page speaks https."""
OPEN_ENDPOINTS = PLAIN_ENDPOINTS | {"pages.join", "trust.seen"}
"""What may be seen without the token."""
CSRF_HEADER = "X-CSRF-Token"

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_CAMERA = {"Permissions-Policy": "camera=(self), microphone=(), geolocation=()"}
EXCEPTIONS = {
    # Their scripts ask for a camera.
    "live.page": _CAMERA,
    "calibrate.page": _CAMERA,
    # The plain page looks whether it comes; under https that is another origin.
    "trust.seen": {"Cross-Origin-Resource-Policy": "cross-origin"},
}
"""What single answers have instead, by their endpoint."""


def new_token() -> str:
    """A fresh token for the link: 192 bits from the operating system, in letters that an address may hold."""
    return secrets.token_urlsafe(24)


def _host_name() -> str:
    """The name in the Host header, without port and brackets, in small letters; empty where it is malformed."""
    try:
        return urlsplit(f"//{request.headers.get('Host', '')}").hostname or ""
    except ValueError:
        return ""


def _fingerprint(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def token_is_right(offered: str) -> bool:
    """Whether `offered` is this app's token, in time that tells nothing about it."""
    token: str | None = current_app.config["TOKEN"]
    return token is not None and hmac.compare_digest(offered.encode(), token.encode())


def admit() -> None:
    """Let this visitor's browser in from now on (its token was right)."""
    session["admitted"] = _fingerprint(current_app.config["TOKEN"])


def csrf_token() -> str:
    """This session's CSRF token, made on first need."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    token: str = session["csrf"]
    return token


def _check_host() -> None:
    name = _host_name()
    if is_loopback(name):
        return
    if current_app.config["TOKEN"] is not None and (is_address(name) or name in current_app.config["HOST_NAMES"]):
        return
    raise Refused("foreign_host", "This address does not belong to hupai; open the link shown in the terminal.", 403)


def _check_secure() -> BaseResponse | None:
    if current_app.config["AUTHORITY"] is None or request.is_secure or request.endpoint in PLAIN_ENDPOINTS:
        return None
    if is_loopback(request.remote_addr or "") and is_loopback(_host_name()):
        return None
    if request.method in SAFE_METHODS and not request.path.startswith("/api/"):
        return redirect(url_for("trust.page"))
    raise Refused("not_secure", "Open hupai under https; the page /trust says how a phone comes to trust it.", 403)


def _check_admitted() -> None:
    token: str | None = current_app.config["TOKEN"]
    if token is None or request.endpoint in OPEN_ENDPOINTS:
        return
    if not hmac.compare_digest(str(session.get("admitted", "")), _fingerprint(token)):
        raise Refused("not_admitted", "Open the link with its key, or scan the QR code, shown in the terminal.", 403)


def _check_origin_and_csrf() -> None:
    if request.method in SAFE_METHODS:
        return
    if request.headers.get("Origin") != f"{request.scheme}://{request.host}":
        raise Refused("foreign_origin", "Only hupai's own page may send this.", 403)
    offered = request.headers.get(CSRF_HEADER, "")
    if not offered or not hmac.compare_digest(offered.encode(), str(session.get("csrf", "")).encode()):
        raise Refused("stale_page", "This page is out of date; reload it.", 403)


def _harden(response: Response) -> Response:
    for name, value in (HEADERS | EXCEPTIONS.get(request.endpoint or "", {})).items():
        response.headers[name] = value
    # Static files are revalidated by their ETag; everything else belongs to this moment and this visitor.
    response.headers["Cache-Control"] = "no-cache" if request.endpoint == "static" else "no-store"
    return response


class _Sessions(SecureCookieSessionInterface):
    """Sessions whose cookie came over https go over https alone, and no plain answer can put another in their place."""

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure

    def get_cookie_name(self, app: Flask) -> str:
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if request.is_secure else name


def init_guard(app: Flask) -> None:
    """Put the checks before every request of this app and the headers on every answer."""
    app.session_interface = _Sessions()
    app.before_request(_check_host)
    app.before_request(_check_secure)
    app.before_request(_check_admitted)
    app.before_request(_check_origin_and_csrf)
    app.after_request(_harden)
