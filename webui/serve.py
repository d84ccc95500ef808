"""Running the page: the WSGI server, the link and its QR code in the terminal."""

from __future__ import annotations

import logging
import socket
import webbrowser
from collections.abc import Callable, Mapping
from typing import Any

import waitress
from flask import Flask

from calibration.home import home
from vision.frames import MAX_BYTES
from webui.app import close, create_app, warm
from webui.authority import AuthorityError, Keyring, Signer
from webui.guard import new_token
from webui.invite import Invitation
from webui.language import terminal_language, words
from webui.machine import (
    IpAddress,
    address_of,
    is_address,
    is_loopback,
    local_name,
    own_address,
    own_addresses,
    own_names,
)
from webui.secure import Identity, secure

PORT = 8420
THREADS = 8
ANY_ADDRESS = "0.0.0.0"


class ServeError(Exception):
    """The page cannot be served as asked; the message is one line and says how to mend it."""


def _link(scheme: str, host: str, port: int, path: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}:{port}/{path}"


def _listening_socket(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise ServeError(f"cannot listen on {host}: {error.strerror}; give an address of this machine") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise ServeError(f"cannot listen on {host}:{port}: {error.strerror}; try another --port") from None
    return listener


def _names_of(host: str) -> frozenset[str | IpAddress]:
    """What the page may be called that listens on `host`: the address, or all names and addresses of this machine."""
    if is_address(host) and not address_of(host).is_unspecified:
        return own_names() | {"localhost", address_of(host)}
    return own_names() | {"localhost"} | own_addresses()


def _authority(keyring: Keyring, names: frozenset[str | IpAddress], *, anew: bool) -> Signer:
    machine = socket.gethostname().split(".")[0]
    return keyring.new_authority(machine, names) if anew else keyring.authority(machine, names)


def wsgi_server(app: Flask, listener: socket.socket, identity: Identity | None) -> Any:
    """The server of an app on a bound socket, with its limits; over TLS too under an identity. `run` starts it."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = waitress.create_server(
        app,
        sockets=[listener],
        threads=THREADS,
        channel_timeout=30,
        connection_limit=100,
        max_request_body_size=MAX_BYTES + 64 * 1024,
        ident=None,
    )
    if identity is not None:
        secure(server, identity)
    return server


def serve(
    *,
    host: str | None,
    port: int,
    lan: bool,
    open_browser: bool,
    say: Callable[[str], None],
    config: Mapping[str, Any] | None = None,
    https: bool = False,
    new_authority: bool = False,
) -> None:
    """Serve the page until Ctrl+C; `say` prints the links, `config` holds further values of the app's configuration.

    `host` None means this machine alone, or with `lan` every address of it. With `lan` a visitor needs the token of the
    link. Port 0 takes any free one. `https` serves the network over TLS, under this machine's own authority, which
    `new_authority` makes anew. Raises ServeError where the address or the port cannot be had, the address belongs to
    the network and `lan` is not set, or the authority cannot be used.
    """
    host = host or (ANY_ADDRESS if lan else "127.0.0.1")
    if not lan and not is_loopback(host):
        raise ServeError(f"{host} is open to the network; add --lan if that is meant")
    if https and not lan:
        raise ServeError("--https is for phones on the network; add --lan, or leave it out: this machine needs none")
    if new_authority and not https:
        raise ServeError("--new-authority is for --https; add that")
    listener = _listening_socket(host, port)
    port = listener.getsockname()[1]
    token = new_token() if lan else None
    authority = identity = None
    if https:
        names = _names_of(host)
        keyring = Keyring(home() / "https")
        try:
            identity = Identity(keyring, _authority(keyring, names, anew=new_authority), names)
        except AuthorityError as error:
            listener.close()
            raise ServeError(str(error)) from None
        authority = identity.authority
    everywhere = host in (ANY_ADDRESS, "::")
    join = f"join/{token}" if token else ""

    def invitation() -> Invitation:
        # Asked for anew each time: a laptop may change networks while the page is served.
        near = "127.0.0.1" if everywhere else host
        far = own_address() if everywhere else host
        if authority is None:
            return Invitation(_link("http", near, port, join), _link("http", far, port, join) if lan else None)
        if is_address(far) and not authority.permits(address_of(far)):
            far = local_name()
        return Invitation(
            here=_link("http" if is_loopback(near) else "https", near, port, join),
            network=_link("https", far, port, join),
            trust=_link("http", far, port, "trust"),
            authority=authority,
        )

    app = create_app(
        {
            "TOKEN": token,
            "HOST_NAMES": own_names(),
            "AUTHORITY": authority,
            "INVITATION": invitation,
            "SESSION_COOKIE_NAME": f"hupai-{port}",
            **(config or {}),
        }
    )
    server = wsgi_server(app, listener, identity)
    warm(app)
    links = invitation()
    say(links.text(words(terminal_language())))
    if open_browser:
        webbrowser.open(links.here)
    try:
        server.run()
    finally:
        server.close()
        close(app)
