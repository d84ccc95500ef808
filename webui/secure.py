"""TLS and plain http on one port of the WSGI server.

Waitress reads and writes many slow connections in one thread and gives its workers whole requests; it knows no TLS.
The channel here adds that without another server in front: the first byte of a connection tells a TLS handshake from a
plain request, and everything else (limits, idle times, workers) stays waitress's own. A plain request is answered too,
so that a phone can fetch the authority before it trusts it; what it may see is for `webui.guard` to say.
"""

from __future__ import annotations

import copy
import ssl
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from socket import MSG_PEEK
from socket import socket as Socket
from typing import Any, Final, Literal

from waitress.channel import HTTPChannel

from webui.authority import AuthorityError, Keyring, Signer
from webui.machine import IpAddress, address_of

_RECORD: Final = 16384
"""The most bytes of a TLS record (RFC 8446, section 5.1). Asking for as many leaves none waiting inside OpenSSL, where
`select` would not see them."""

_HANDSHAKE: Final = b"\x16"
"""The content type with which every TLS connection begins (RFC 8446, section 5.1); no http request does."""


class Identity:
    """What the page shows of itself under https: the authority, and a certificate that is kept up to date.

    `names` are the names and addresses to be certified at first. Raises AuthorityError.
    """

    def __init__(self, keyring: Keyring, authority: Signer, names: Iterable[str | IpAddress]) -> None:
        self.authority = authority.certificate
        self._signer = authority
        self._keyring = keyring
        self._names = set(names)
        self._renew()

    def _renew(self) -> None:
        self.certificate, file = self._keyring.certificate(self._signer, self._names)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(file)
        self._context = context

    def context(self, reached_at: str) -> ssl.SSLContext:
        """What a connection needs that reached this machine at that address.

        The certificate is made anew where it does not have the address yet, or ends soon.
        """
        address = address_of(reached_at)
        if address not in self._names or not self.certificate.lasts(self._keyring.clock()):
            self._names.add(address)
            # The one at hand still serves whoever comes under another address.
            with suppress(AuthorityError, OSError):
                self._renew()
        return self._context


class SecureChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no type hints
    """One connection, over TLS or plain, as its first byte says."""

    # What waitress keeps, without type hints.
    adj: Any
    socket: Any

    def __init__(self, identity: Identity, server: Any, sock: Socket, *rest: Any, **named: Any) -> None:
        self._identity = identity
        self._stage: Literal["new", "handshake", "open", "closed", "plain"] = "new"
        self._wants_to_write = False
        # Workers write while the server's thread reads, and OpenSSL takes one at a time.
        self._tls = threading.Lock()
        super().__init__(server, sock, *rest, **named)

    def readable(self) -> bool:
        """Whether to wait until bytes arrive."""
        if self._stage in ("new", "handshake"):
            return not self.will_close and not self._wants_to_write
        return bool(super().readable())

    def writable(self) -> bool:
        """Whether to wait until bytes can be sent."""
        if self._stage in ("new", "handshake"):
            return self.will_close or self._wants_to_write
        return bool(super().writable())

    def handle_read(self) -> None:
        """Take what has arrived."""
        if self._stage == "new":
            self._meet()
        if self._stage == "handshake":
            self._shake_hands()
        elif self._stage == "open":
            self._take()
        elif self._stage == "plain":
            super().handle_read()

    def handle_write(self) -> None:
        """Send what can be sent, or close."""
        if self._stage == "handshake" and not self.will_close:
            self._shake_hands()
        else:
            super().handle_write()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send a part of `data`; returns how many bytes went out."""
        if self._stage == "plain":
            return int(super().send(data, do_close))
        with self._tls:
            if self._stage == "open":
                try:
                    return int(self.socket.send(data))
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    return 0
                except OSError:  # the other side is gone
                    self.will_close = True
            return 0

    def handle_close(self) -> None:
        """Say goodbye, where TLS is spoken, and close."""
        with self._tls:
            if self._stage == "open":
                self._stage = "closed"
                with suppress(OSError, ValueError):
                    self.socket.unwrap()
        super().handle_close()

    def _meet(self) -> None:
        """Look at the first byte without taking it."""
        try:
            first = self.socket.recv(1, MSG_PEEK)
            if first == _HANDSHAKE:
                context = self._identity.context(self.socket.getsockname()[0])
                self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
                self._stage = "handshake"
            elif first:
                self._stage = "plain"
            else:
                self.handle_close()
        except BlockingIOError:
            return
        except OSError:
            self.handle_close()

    def _shake_hands(self) -> None:
        """Go on with the handshake; one that fails, as with a phone that has no trust yet, ends without a word."""
        try:
            self.socket.do_handshake()
        except ssl.SSLWantReadError:
            self._wants_to_write = False
        except ssl.SSLWantWriteError:
            self._wants_to_write = True
        except (OSError, ValueError):
            self.handle_close()
        else:
            self._wants_to_write = False
            self._stage = "open"
            self.sendbuf_len = _RECORD
            self.adj = copy.copy(self.adj)  # the others stay plain
            self.adj.url_scheme = "https"

    def _take(self) -> None:
        try:
            with self._tls:
                data = self.socket.recv(_RECORD)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:
            data = b""
        if data:
            self.last_activity = time.time()
            self.received(data)
        else:
            self.handle_close()


def secure(server: Any, identity: Identity) -> None:
    """Let a server of waitress speak TLS too, under that identity."""
    server.channel_class = partial(SecureChannel, identity)
