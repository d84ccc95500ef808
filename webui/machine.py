"""What this machine is called on the network."""

from __future__ import annotations

import ipaddress
import socket

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

LOOPBACK = frozenset({ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1")})
# Addresses kept for documents and for private networks: asking the way to them names the interface that leads there.
OUTSIDE = "192.0.2.1"
PROBED = (OUTSIDE, "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "2001:db8::1", "fd00::1")


def _way_to(target: str) -> str | None:
    """The address from which this machine would send to `target`; None where it knows no way.

    No packet is sent: connecting a UDP socket only asks the system which way it would go.
    """
    family = socket.AF_INET6 if ":" in target else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            address: str = probe.getsockname()[0]
            return address
    except OSError:
        return None


def own_address() -> str:
    """This machine's IPv4 address on the network that leads outside; 127.0.0.1 where there is none."""
    return _way_to(OUTSIDE) or "127.0.0.1"


def own_addresses() -> frozenset[IpAddress]:
    """The addresses under which this machine may be reached, the loopback's among them.

    Python can ask no system for a list of them; what is missing is learned from the connections that come in.
    """
    found = (_way_to(target) for target in PROBED)
    return LOOPBACK | {address_of(text) for text in found if text}


def own_names() -> frozenset[str]:
    """The names under which other machines may know this one, in small letters."""
    name = socket.gethostname().lower()
    return frozenset({name, local_name()})


def local_name() -> str:
    """The name under which this machine answers where names go around by multicast (Bonjour, Avahi)."""
    return f"{socket.gethostname().lower().split('.')[0]}.local"


def address_of(text: str) -> IpAddress:
    """An address in figures, as a socket tells it: without its zone, and as IPv4 where it is that within IPv6.

    Raises ValueError where it is none.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_address(name: str) -> bool:
    """Whether a host is given in figures."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a host name or an address in figures means this machine alone."""
    return host == "localhost" or (is_address(host) and address_of(host).is_loopback)
