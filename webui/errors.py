"""How a request is turned away: one code, one line, one status; JSON for the API, a small page for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from models import ModelError
from webui.language import chosen_language, words

HTTP_ERRORS = {
    400: ("bad_request", "The request is malformed; reload the page and try again."),
    404: ("not_found", "There is nothing at this address."),
    405: ("method_not_allowed", "This address does not take such a request."),
    413: ("too_large", "This is too much at once; send a smaller picture."),
    500: ("failed", "Something went wrong inside hupai; the terminal says more."),
}
"""What is said of errors that the server itself finds: status -> code, message."""


class Refused(Exception):
    """A request that is not carried out.

    `code` is a stable name that a program may act on, `message` one line that says how to mend it, `status` the HTTP
    status (4xx, or 503 where trying again later helps), `answer` further members of the JSON answer.
    """

    def __init__(self, code: str, message: str, status: int, answer: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.answer = {"error": {"code": code, "message": message}, **(answer or {})}


def _answer(refused: Refused) -> Response:
    if request.path.startswith("/api/"):
        response = jsonify(refused.answer)
    else:
        language = chosen_language(request)
        page = render_template("refused.html", refused=refused, words=words(language), language=language)
        response = make_response(page)
    response.status_code = refused.status
    if refused.status == 503:
        response.headers["Retry-After"] = "2"
    return response


def _http_answer(error: HTTPException) -> Response:
    status = error.code or 500
    code, message = HTTP_ERRORS.get(status, HTTP_ERRORS[400 if status < 500 else 500])
    response = _answer(Refused(code, message, status))
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def _no_models(error: ModelError) -> Response:
    # Which file it is helps whoever runs hupai, not the players.
    current_app.logger.error("pictures cannot be read: %s", error)
    message = "The networks that read photos are missing or damaged; install hupai again. A hand can still be typed."
    return _answer(Refused("no_models", message, 503))


def init_errors(app: Flask) -> None:
    """Answer every refusal, a fault of the networks, and every HTTP error of this app with a code and one line."""
    app.register_error_handler(Refused, _answer)
    app.register_error_handler(ModelError, _no_models)
    app.register_error_handler(HTTPException, _http_answer)
