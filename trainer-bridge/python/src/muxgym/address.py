"""From an address to the transport that speaks there."""

from muxgym.errors import ProtocolError
from muxgym.transport import AsyncTransport, Endpoint, Pulse, Transport

_GRPC = ("grpc://", "grpcs://")
_ZEROMQ = ("tcp://", "ipc://")


def open_transport(endpoint: Endpoint, pulse: Pulse) -> Transport:
    if _is_grpc(endpoint.address):
        from muxgym.grpc import GrpcTransport  # noqa: PLC0415 (the other wire's library is not loaded)

        return GrpcTransport(endpoint, pulse)
    from muxgym.zeromq import ZeroMqTransport  # noqa: PLC0415

    return ZeroMqTransport(endpoint, pulse)


def open_async_transport(endpoint: Endpoint, pulse: Pulse) -> AsyncTransport:
    if _is_grpc(endpoint.address):
        from muxgym.grpc import AsyncGrpcTransport  # noqa: PLC0415 (the other wire's library is not loaded)

        return AsyncGrpcTransport(endpoint, pulse)
    from muxgym.zeromq import AsyncZeroMqTransport  # noqa: PLC0415

    return AsyncZeroMqTransport(endpoint, pulse)


def check_address(address: str) -> None:
    """Raises ProtocolError (E_ADDRESS) for an address that no transport knows."""
    if not address.startswith((*_GRPC, *_ZEROMQ)):
        message = f"Cannot use an address: expected tcp://HOST:PORT, ipc://PATH or grpc://HOST:PORT, found {address!r}"
        raise ProtocolError("E_ADDRESS", message)


def _is_grpc(address: str) -> bool:
    return address.startswith(_GRPC)
