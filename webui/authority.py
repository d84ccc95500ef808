"""A certificate authority of this machine's own, and the certificate that it signs for the page.

A phone gives the camera to a page only over https, and no public authority certifies a laptop at home. So this machine
makes an authority once, for ten years; a phone that was told to trust it trusts every later certificate as well. The
authority can sign for local names and private addresses alone: name constraints (RFC 5280, section 4.2.1.10) say so in
the authority itself, and phones heed them. A certificate is valid for 397 days, the most that browsers take. It is made
anew before it ends, and whenever this machine is reached under an address that it does not have.

Both are kept in one folder, each with its private key in one file of mode 0600, written whole or not at all.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webui.machine import IpAddress

AUTHORITY_LIFE: Final = timedelta(days=3650)
CERTIFICATE_LIFE: Final = timedelta(days=397)
RENEWAL: Final = timedelta(days=30)
"""What ends sooner than this is made anew."""

_BACKDATED: Final = timedelta(days=1)  # for phones whose clock is slow

LOCAL_DOMAINS: Final = ("home.arpa", "internal", "local", "localhost")
"""Domains that no one owns: RFC 8375, ICANN's reservation of 2024, RFC 6762, RFC 6761."""

LOCAL_NETWORKS: Final = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),  # private (RFC 1918)
        "100.64.0.0/10",  # behind a provider's translation (RFC 6598), and of private overlays
        *("169.254.0.0/16", "fe80::/10"),  # of one link (RFC 3927, RFC 4291)
        *("127.0.0.0/8", "::1/128"),  # this machine
        "fc00::/7",  # private (RFC 4193)
    )
)

_LABEL: Final = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_DNS_NAME: Final = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*")


class AuthorityError(Exception):
    """The authority or its certificate cannot be had; the message is one line and says how to mend it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate: all of it may be shown to anybody."""

    x509: x509.Certificate

    @property
    def name(self) -> str:
        """What a phone calls it in its lists."""
        return str(self.x509.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the certificate as phones show it: 32 bytes in hexadecimal with colons between them."""
        return self.x509.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def pem(self) -> bytes:
        """The certificate as a PEM file."""
        return self.x509.public_bytes(serialization.Encoding.PEM)

    @property
    def der(self) -> bytes:
        """The certificate as a DER file."""
        return self.x509.public_bytes(serialization.Encoding.DER)

    @property
    def names(self) -> frozenset[str | IpAddress]:
        """The names and addresses that it certifies; none for an authority."""
        try:
            names = self.x509.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return frozenset()
        addresses = names.get_values_for_type(x509.IPAddress)
        single = (item for item in addresses if isinstance(item, ipaddress.IPv4Address | ipaddress.IPv6Address))
        return frozenset({*names.get_values_for_type(x509.DNSName), *single})

    def permits(self, name: str | IpAddress) -> bool:
        """Whether the constraints of this authority let it sign for a name or an address.

        Raises ValueError where it has none.
        """
        try:
            constraints = self.x509.extensions.get_extension_for_class(x509.NameConstraints).value
        except x509.ExtensionNotFound:
            raise ValueError("no name constraints") from None
        permitted = [subtree.value for subtree in constraints.permitted_subtrees or ()]
        if isinstance(name, str):
            return _DNS_NAME.fullmatch(name) is not None and any(
                f".{name}".endswith(f".{domain}") for domain in permitted if isinstance(domain, str)
            )
        return any(name in network for network in permitted if not isinstance(network, str))

    def lasts(self, now: datetime) -> bool:
        """Whether it is valid now and does not end soon."""
        return self.x509.not_valid_before_utc <= now < self.x509.not_valid_after_utc - RENEWAL


@dataclass(frozen=True, slots=True)
class Signer:
    """A certificate with its private key."""

    certificate: Certificate
    key: ec.EllipticCurvePrivateKey

    def to_pem(self) -> bytes:
        """Key and certificate as one PEM file; the key is not encrypted."""
        key = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return key + self.certificate.pem

    @classmethod
    def from_pem(cls, pem: bytes) -> Signer:
        """What `to_pem` wrote. Raises ValueError where it is none, or the key is not the certificate's."""
        try:
            key = serialization.load_pem_private_key(pem, password=None)
            certificate = x509.load_pem_x509_certificate(pem)
        except (TypeError, UnsupportedAlgorithm) as error:
            raise ValueError(str(error)) from None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            raise ValueError("the key is not the certificate's")
        return cls(Certificate(certificate), key)


def make_authority(host: str, names: Iterable[str | IpAddress], now: datetime) -> Signer:
    """An authority that may sign for local names, private addresses, and the `names` that this machine has now.

    `host` tells it from the authorities of other machines.
    """
    own = [name for name in sorted(names, key=str) if not _is_local(name)]
    domains = [*LOCAL_DOMAINS, *(name for name in own if isinstance(name, str) and _DNS_NAME.fullmatch(name))]
    networks = [*LOCAL_NETWORKS, *(ipaddress.ip_network(name) for name in own if not isinstance(name, str))]
    permitted: list[x509.GeneralName] = [x509.DNSName(name) for name in domains]
    permitted += [x509.IPAddress(network) for network in networks]
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _subject(f"hupai {host[:40]} {secrets.token_hex(2).upper()}")
    certificate = (
        _builder(subject, subject, key, now - _BACKDATED, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return Signer(Certificate(certificate), key)


def certify(authority: Signer, names: Iterable[str | IpAddress], now: datetime) -> Signer:
    """A certificate for those of `names` that the authority may sign for."""
    signed = [name for name in sorted(names, key=str) if authority.certificate.permits(name)]
    key = ec.generate_private_key(ec.SECP256R1())
    begins = now - _BACKDATED
    issuer = authority.certificate.x509
    life = min(CERTIFICATE_LIFE, issuer.not_valid_after_utc - begins)
    alternatives = [x509.DNSName(name) if isinstance(name, str) else x509.IPAddress(name) for name in signed]
    identifier = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    certificate = (
        _builder(_subject("hupai"), issuer.subject, key, begins, life)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .sign(authority.key, hashes.SHA256())
    )
    return Signer(Certificate(certificate), key)


class Keyring:
    """The authority and the page's certificate in a folder. `clock` gives the time, in UTC."""

    def __init__(self, folder: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.clock = clock
        self._authority_file = folder / "authority.pem"
        self._page_file = folder / "page.pem"

    def authority(self, host: str, names: Iterable[str | IpAddress]) -> Signer:
        """The authority that is kept; one for `host` and `names` is made where there is none, or it ends soon.

        Raises AuthorityError where it is damaged: making another unasked would leave every phone without trust.
        """
        try:
            _close_to_others(self._authority_file)
            held = Signer.from_pem(self._authority_file.read_bytes())
            held.certificate.permits("localhost")
        except FileNotFoundError:
            return self.new_authority(host, names)
        except OSError as error:
            raise _unusable(self._authority_file, error) from None
        except ValueError:
            raise AuthorityError(
                f"{self._authority_file} is damaged: put a copy of it back, or make another authority "
                "with --new-authority, which every phone has to trust anew"
            ) from None
        now = self.clock()
        if now < held.certificate.x509.not_valid_before_utc:
            raise AuthorityError(
                f"the clock says {now:%Y-%m-%d}, and {held.certificate.name} was made later: set the clock"
            )
        return held if held.certificate.lasts(now) else self.new_authority(host, names)

    def new_authority(self, host: str, names: Iterable[str | IpAddress]) -> Signer:
        """Make an authority, in place of any that is kept. Raises AuthorityError where it cannot be written."""
        made = make_authority(host, names, self.clock())
        _write(self._authority_file, made.to_pem())
        return made

    def certificate(self, authority: Signer, names: Iterable[str | IpAddress]) -> tuple[Certificate, Path]:
        """A certificate for those of `names` that the authority may sign for, and its file with the key.

        The one that is kept stays where it still serves; it may certify more than is asked for. Raises AuthorityError
        where a new one cannot be written.
        """
        wanted = {name for name in names if authority.certificate.permits(name)}
        held = self._held(authority)
        if held is None or not wanted <= held.names:
            made = certify(authority, wanted, self.clock())
            _write(self._page_file, made.to_pem())
            held = made.certificate
        return held, self._page_file

    def _held(self, authority: Signer) -> Certificate | None:
        """The page's certificate that is kept, where it is whole, lasts, and is this authority's."""
        try:
            _close_to_others(self._page_file)
            held = Signer.from_pem(self._page_file.read_bytes()).certificate
            held.x509.verify_directly_issued_by(authority.certificate.x509)
        except (OSError, ValueError, TypeError, InvalidSignature):
            return None
        return held if held.lasts(self.clock()) else None


def _is_local(name: str | IpAddress) -> bool:
    if isinstance(name, str):
        return any(f".{name}".endswith(f".{domain}") for domain in LOCAL_DOMAINS)
    return any(name in network for network in LOCAL_NETWORKS)


def _subject(name: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "hupai"),
            x509.NameAttribute(NameOID.COMMON_NAME, name),
        ]
    )


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, begins: datetime, life: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + life)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _write(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all. Raises AuthorityError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, fresh = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")  # of mode 0600
        try:
            with open(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, path)
        except OSError:
            os.unlink(fresh)
            raise
    except OSError as error:
        raise _unusable(path, error) from None


def _close_to_others(path: Path) -> None:
    """Take the rights of other users away that a copied file may have brought. Raises OSError."""
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _unusable(path: Path, error: OSError) -> AuthorityError:
    reason = (error.strerror or "unknown reason").lower()
    return AuthorityError(f"{path} cannot be used ({reason}): mend that, or name another data directory by HUPAI_HOME")
