"""The application factory and the pages it serves to people."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Flask, Response, make_response, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from vision.frames import MAX_BYTES
from webui.api import api
from webui.calibrate import calibrate
from webui.desk import DESK, PhotoReader, ReadingDesk
from webui.errors import Refused, init_errors
from webui.guard import admit, init_guard, token_is_right
from webui.invite import invite
from webui.language import chosen_language, words
from webui.live import DEFAULTS as LIVE_DEFAULTS
from webui.live import LIVE, Cameras, init_live
from webui.recordings import recordings
from webui.tonight import tonight
from webui.trust import trust

pages = Blueprint("pages", __name__)


def _open_default_reader() -> PhotoReader:
    from vision.read import Reader

    reader = Reader()
    reader.warm()
    return reader


DEFAULTS: Mapping[str, Any] = {
    # Opens the reader of photos: a callable without arguments, called once.
    "READER": _open_default_reader,
    # The token that a visitor must have been given; None keeps the page to this machine.
    "TOKEN": None,
    # Names besides addresses in figures under which this machine is known on the network.
    "HOST_NAMES": frozenset(),
    # The authority under which the page speaks https, as `webui.authority.Certificate`; None leaves it at http.
    "AUTHORITY": None,
    # Gives the links for phones, as `webui.invite.Invitation`; None where no phone can come.
    "INVITATION": None,
    # How many photos may wait while one is read, and for how many seconds one may take.
    "READINGS_WAITING": 3,
    "READING_SECONDS": 20.0,
    # A photo of the largest size that is read, and the form around it.
    "MAX_CONTENT_LENGTH": MAX_BYTES + 64 * 1024,
    "MAX_FORM_PARTS": 8,
    "SESSION_COOKIE_NAME": "hupai",
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Strict",
    **LIVE_DEFAULTS,
}


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The page as a WSGI application; `config` overrides `DEFAULTS`.

    A SECRET_KEY that is not given is made anew, so that cookies end with the process.
    """
    app = Flask(__name__)
    app.config.from_mapping(DEFAULTS, SECRET_KEY=secrets.token_bytes(32))
    app.config.from_mapping(config or {})
    open_reader: Callable[[], PhotoReader] = app.config["READER"]
    app.extensions[DESK] = ReadingDesk(
        open_reader, waiting=app.config["READINGS_WAITING"], seconds=app.config["READING_SECONDS"]
    )
    init_errors(app)
    init_guard(app)
    app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(calibrate)
    app.register_blueprint(trust)
    app.register_blueprint(invite)
    init_live(app)
    app.register_blueprint(recordings)
    app.register_blueprint(tonight)
    return app


@pages.get("/")
def index() -> str:
    """The page itself."""
    language = chosen_language(request)
    return render_template("index.html", words=words(language), language=language)


@pages.get("/join/<token>")
def join(token: str) -> BaseResponse:
    """Exchange the token of the link for a cookie, and go on to the page.

    The way on is a step of the page itself, not a redirect: after a link from elsewhere a browser would hold a strict
    cookie back from the redirect's target.
    """
    if not token_is_right(token):
        raise Refused("not_admitted", "Open the link with its key, or scan the QR code, shown in the terminal.", 403)
    admit()
    language = chosen_language(request)
    response: Response = make_response(render_template("join.html", words=words(language), language=language))
    return response


def warm(app: Flask) -> None:
    """Open the models of this app in the background."""
    desk: ReadingDesk = app.extensions[DESK]
    desk.warm()


def close(app: Flask) -> None:
    """Release what this app holds open: the camera."""
    cameras: Cameras = app.extensions[LIVE]
    cameras.close()
