"""The machine's own authority: what it and its certificates say, what it may sign, and how both are kept."""

from __future__ import annotations

import os
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import PolicyBuilder, Store

from webui.authority import (
    LOCAL_NETWORKS,
    RENEWAL,
    AuthorityError,
    Certificate,
    Keyring,
    Signer,
    certify,
    make_authority,
)
from webui.machine import IpAddress, is_address

NOW = datetime(2026, 3, 14, 20, 0, tzinfo=UTC)
NAMES: frozenset[str | IpAddress] = frozenset(
    {"laptop", "laptop.local", "localhost", *map(ip_address, ("127.0.0.1", "192.168.1.7", "fd00::7"))}
)
DAY = timedelta(days=1)
posix = pytest.mark.skipif(os.name != "posix", reason="left out: this system keeps no file modes")


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW)


@pytest.fixture
def keyring(tmp_path: Path, clock: Clock) -> Keyring:
    return Keyring(tmp_path / "https", clock)


@pytest.fixture
def authority() -> Signer:
    return make_authority("laptop", NAMES, NOW)


def host(name: str) -> str | IpAddress:
    """A name as it is, an address parsed."""
    return ip_address(name) if is_address(name) else name


def hands_shaken(authority: Signer, page: Signer, name: str, folder: Path) -> ssl.SSLObject:
    """What a client that trusts the authority knows after its handshake with the page's certificate."""
    file = folder / "shown.pem"
    file.write_bytes(page.to_pem())
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    client = ssl.create_default_context(cadata=authority.certificate.pem.decode())
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.wrap_bio(back, there, server_hostname=name)
    theirs = server.wrap_bio(there, back, server_side=True)
    for _ in range(4):
        for side in (ours, theirs):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert ours.version()
    return ours


def test_the_authority_may_sign_certificates_and_nothing_else(authority: Signer) -> None:
    extensions = authority.certificate.x509.extensions
    basic = extensions.get_extension_for_class(x509.BasicConstraints)
    usage = extensions.get_extension_for_class(x509.KeyUsage)
    assert basic.critical
    assert (basic.value.ca, basic.value.path_length) == (True, 0)
    assert usage.value.key_cert_sign
    assert not usage.value.digital_signature
    assert "laptop" in authority.certificate.name
    parsed = authority.certificate.x509
    assert timedelta(days=3640) < parsed.not_valid_after_utc - NOW < timedelta(days=3651)
    assert parsed.not_valid_before_utc <= NOW - DAY


def test_two_authorities_of_one_machine_can_be_told_apart() -> None:
    first, second = (make_authority("laptop", NAMES, NOW).certificate for _ in range(2))
    assert first.name != second.name
    assert first.fingerprint != second.fingerprint
    assert len(first.fingerprint.split(":")) == 32


def test_its_constraints_are_critical_and_hold_local_names_and_private_addresses(authority: Signer) -> None:
    constraints = authority.certificate.x509.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    permitted = {subtree.value for subtree in constraints.value.permitted_subtrees or ()}
    assert permitted == {"home.arpa", "internal", "local", "localhost", "laptop", *LOCAL_NETWORKS}


@pytest.mark.parametrize(
    "name", ["laptop", "laptop.local", "other.local", "localhost", "10.1.2.3", "172.31.0.1", "169.254.7.7", "fe80::1"]
)
def test_what_it_may_sign(authority: Signer, name: str) -> None:
    assert authority.certificate.permits(host(name))


@pytest.mark.parametrize(
    "name",
    [
        "bank.example",
        "local.example",
        "laptoplocal",
        "",
        "a_b.local",
        "-.local",
        "8.8.8.8",
        "172.32.0.1",
        "2001:db8::1",
    ],
)
def test_what_it_may_not_sign(authority: Signer, name: str) -> None:
    assert not authority.certificate.permits(host(name))


def test_a_public_address_that_this_machine_has_may_be_signed() -> None:
    own = ip_address("203.0.113.9")
    authority = make_authority("laptop", {own, "laptop.example"}, NOW)
    assert authority.certificate.permits(own)
    assert authority.certificate.permits("laptop.example")
    assert not authority.certificate.permits(ip_address("203.0.113.10"))
    assert not authority.certificate.permits("other.example")


@pytest.mark.parametrize("name", sorted(map(str, NAMES)))
def test_a_client_that_trusts_the_authority_trusts_each_name(authority: Signer, name: str, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    fresh = make_authority("laptop", NAMES, now)
    shaken = hands_shaken(fresh, certify(fresh, NAMES, now), name, tmp_path)
    assert shaken.getpeercert() is not None


def test_a_client_turns_away_a_name_that_is_not_in_the_certificate(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    authority = make_authority("laptop", NAMES, now)
    with pytest.raises(ssl.SSLCertVerificationError, match=r"192\.168\.1\.8"):
        hands_shaken(authority, certify(authority, NAMES, now), "192.168.1.8", tmp_path)


@pytest.mark.parametrize("name", ["bank.example", "8.8.8.8"])
def test_a_client_turns_away_what_the_authority_signs_against_its_constraints(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    authority = make_authority("laptop", NAMES, now)
    monkeypatch.setattr(Certificate, "permits", lambda certificate, name: True)
    page = certify(authority, {host(name)}, now)
    assert page.certificate.names == {host(name)}
    with pytest.raises(ssl.SSLCertVerificationError, match="subtree"):
        hands_shaken(authority, page, name, tmp_path)


def test_the_certificate_is_a_servers_for_at_most_397_days(authority: Signer) -> None:
    page = certify(authority, NAMES, NOW).certificate
    extensions = page.x509.extensions
    assert page.names == NAMES
    assert list(extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert not extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    life = page.x509.not_valid_after_utc - page.x509.not_valid_before_utc
    assert timedelta(days=390) < life <= timedelta(days=397)
    assert page.lasts(NOW)
    assert not page.lasts(page.x509.not_valid_after_utc - RENEWAL)


@pytest.mark.parametrize("name", sorted(NAMES, key=str))
def test_the_chain_holds_by_the_rules_of_the_web(authority: Signer, name: str | IpAddress) -> None:
    page = certify(authority, NAMES, NOW).certificate
    builder = PolicyBuilder().store(Store([authority.certificate.x509])).time(NOW)
    subject = x509.DNSName(name) if isinstance(name, str) else x509.IPAddress(name)
    chain = builder.build_server_verifier(subject).verify(page.x509, [])
    assert chain == [page.x509, authority.certificate.x509]


def test_a_name_that_the_authority_may_not_sign_is_left_out(authority: Signer) -> None:
    page = certify(authority, {*NAMES, "bank.example", ip_address("8.8.8.8")}, NOW)
    assert page.certificate.names == NAMES


def test_no_certificate_outlives_its_authority(authority: Signer) -> None:
    ends = authority.certificate.x509.not_valid_after_utc
    page = certify(authority, NAMES, ends - 40 * DAY)
    assert page.certificate.x509.not_valid_after_utc == ends


def test_what_is_written_is_read(authority: Signer) -> None:
    read = Signer.from_pem(authority.to_pem())
    assert read.certificate == authority.certificate
    assert read.key.private_numbers() == authority.key.private_numbers()
    assert b"PRIVATE" not in authority.certificate.pem


def test_the_authority_is_made_once(keyring: Keyring) -> None:
    first = keyring.authority("laptop", NAMES)
    assert keyring.authority("laptop", NAMES).certificate == first.certificate
    assert keyring.new_authority("laptop", NAMES).certificate != first.certificate
    assert keyring.authority("laptop", NAMES).certificate != first.certificate


def test_a_certificate_is_kept_while_it_serves(keyring: Keyring, clock: Clock) -> None:
    authority = keyring.authority("laptop", NAMES)
    first, _ = keyring.certificate(authority, NAMES)
    clock.now += 300 * DAY
    assert keyring.certificate(authority, NAMES)[0] == first
    assert keyring.certificate(authority, {"laptop.local"})[0] == first


def test_a_certificate_is_renewed_before_it_ends_under_the_same_authority(keyring: Keyring, clock: Clock) -> None:
    authority = keyring.authority("laptop", NAMES)
    first, _ = keyring.certificate(authority, NAMES)
    clock.now += 370 * DAY
    again = keyring.authority("laptop", NAMES)
    second, _ = keyring.certificate(again, NAMES)
    assert again.certificate == authority.certificate
    assert second != first
    assert second.lasts(clock.now)
    second.x509.verify_directly_issued_by(authority.certificate.x509)


def test_a_certificate_is_renewed_for_a_new_address(keyring: Keyring) -> None:
    authority = keyring.authority("laptop", NAMES)
    first, _ = keyring.certificate(authority, NAMES)
    moved = (NAMES - {ip_address("192.168.1.7")}) | {ip_address("10.0.0.9")}
    second, _ = keyring.certificate(authority, moved)
    assert second != first
    assert second.names == moved


def test_a_certificate_of_another_authority_is_not_shown(keyring: Keyring) -> None:
    first, _ = keyring.certificate(keyring.authority("laptop", NAMES), NAMES)
    fresh = keyring.new_authority("laptop", NAMES)
    second, _ = keyring.certificate(fresh, NAMES)
    assert second != first
    second.x509.verify_directly_issued_by(fresh.certificate.x509)


def test_an_authority_that_ends_soon_gives_way_to_another(keyring: Keyring, clock: Clock) -> None:
    first = keyring.authority("laptop", NAMES)
    clock.now = first.certificate.x509.not_valid_after_utc - 10 * DAY
    second = keyring.authority("laptop", NAMES)
    assert second.certificate != first.certificate
    assert keyring.certificate(second, NAMES)[0].lasts(clock.now)


def test_a_clock_that_is_wrong_loses_no_authority(keyring: Keyring, clock: Clock) -> None:
    first = keyring.authority("laptop", NAMES)
    clock.now = NOW - 700 * DAY
    with pytest.raises(AuthorityError, match="set the clock"):
        keyring.authority("laptop", NAMES)
    clock.now = NOW
    assert keyring.authority("laptop", NAMES).certificate == first.certificate


@posix
def test_keys_are_for_the_owner_alone(keyring: Keyring, tmp_path: Path) -> None:
    _, file = keyring.certificate(keyring.authority("laptop", NAMES), NAMES)
    folder = tmp_path / "https"
    assert {path.name for path in folder.iterdir()} == {"authority.pem", file.name}
    for path in folder.iterdir():
        assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


@posix
def test_rights_that_a_copy_brought_are_taken_away(keyring: Keyring, tmp_path: Path) -> None:
    keyring.certificate(keyring.authority("laptop", NAMES), NAMES)
    for path in (tmp_path / "https").iterdir():
        path.chmod(0o644)
    keyring.certificate(keyring.authority("laptop", NAMES), NAMES)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "https").iterdir()} == {0o600}


def other_key(pem: bytes) -> bytes:
    """A file whose key is not its certificate's."""
    return Signer(Signer.from_pem(pem).certificate, ec.generate_private_key(ec.SECP256R1())).to_pem()


def unconstrained(pem: bytes) -> bytes:
    """A file of another sort of certificate."""
    return certify(Signer.from_pem(pem), NAMES, NOW).to_pem()


DAMAGE = {
    "empty": lambda pem: b"",
    "half": lambda pem: pem[: len(pem) // 2],
    "no key": lambda pem: Signer.from_pem(pem).certificate.pem,
    "no certificate": lambda pem: pem[: pem.index(b"-----BEGIN CERTIFICATE")],
    "other key": other_key,
    "not an authority": unconstrained,
    "binary": lambda pem: bytes(range(256)),
    "base 64": lambda pem: pem.replace(b"M", b"!"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_authority_is_said_so_in_one_line_and_left_alone(
    keyring: Keyring, tmp_path: Path, damage: str
) -> None:
    pem = keyring.authority("laptop", NAMES).to_pem()
    file = tmp_path / "https" / "authority.pem"
    damaged = DAMAGE[damage](pem)
    file.write_bytes(damaged)
    with pytest.raises(AuthorityError) as raised:
        keyring.authority("laptop", NAMES)
    assert str(file) in str(raised.value)
    assert "--new-authority" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert file.read_bytes() == damaged
    assert keyring.new_authority("laptop", NAMES).certificate == keyring.authority("laptop", NAMES).certificate


def test_a_key_of_another_kind_is_damage(keyring: Keyring, tmp_path: Path) -> None:
    authority = keyring.authority("laptop", NAMES)
    key = ed25519.Ed25519PrivateKey.generate()
    (tmp_path / "https" / "authority.pem").write_bytes(Signer(authority.certificate, key).to_pem())  # type: ignore[arg-type]
    with pytest.raises(AuthorityError, match="damaged"):
        keyring.authority("laptop", NAMES)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_certificate_is_made_anew(keyring: Keyring, tmp_path: Path, damage: str) -> None:
    authority = keyring.authority("laptop", NAMES)
    _, file = keyring.certificate(authority, NAMES)
    pem = make_authority("other", NAMES, NOW).to_pem() if damage == "not an authority" else file.read_bytes()
    file.write_bytes(pem if damage == "not an authority" else DAMAGE[damage](pem))
    made, _ = keyring.certificate(authority, NAMES)
    assert made.names == NAMES
    assert Signer.from_pem(file.read_bytes()).certificate == made


def test_a_place_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file stands where the folder should")
    with pytest.raises(AuthorityError, match="HUPAI_HOME") as raised:
        Keyring(tmp_path / "https").authority("laptop", NAMES)
    assert "\n" not in str(raised.value)


def test_nothing_half_written_is_left_where_the_disk_is_full(
    keyring: Keyring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = keyring.authority("laptop", NAMES)

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(AuthorityError, match="no space left"):
        keyring.new_authority("laptop", NAMES)
    monkeypatch.undo()
    assert [path.name for path in (tmp_path / "https").iterdir()] == ["authority.pem"]
    assert keyring.authority("laptop", NAMES).certificate == first.certificate
