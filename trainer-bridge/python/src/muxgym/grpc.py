"""Calls over gRPC. Methods are called by name with bytes, so that both wires share one codec."""

import asyncio
import contextlib
import time
from collections.abc import Iterable, Iterator
from typing import cast

import grpc
import grpc.aio

from muxgym.errors import MuxgymError, ProtocolError
from muxgym.transport import RESEND_AFTER_S, SILENCE_S, Endpoint, Pulse, read_refusal, timed_out, unreachable

_SERVICE = "/muxgym.v1.Gym/"
_ERROR_KEY = "muxgym-error-bin"
_PLAIN = "grpc://"
_TLS = "grpcs://"
_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.enable_retries", 0),  # repeats are ours, within one bound
)


class GrpcTransport:
    def __init__(self, endpoint: Endpoint, pulse: Pulse) -> None:
        self._endpoint = endpoint
        self._pulse = pulse
        target, credentials = read_endpoint(endpoint)
        self._channel = (
            grpc.insecure_channel(target, options=_OPTIONS)
            if credentials is None
            else grpc.secure_channel(target, credentials, options=_OPTIONS)
        )

    def exchange(self, method: str, payload: bytes, timeout: float) -> bytes:
        call = self._channel.unary_unary(_SERVICE + method, None, None)
        tries = _Tries(method, self._endpoint.address, timeout, self._pulse)
        for remaining in tries:
            try:
                reply: bytes = call(payload, timeout=remaining)
            except grpc.RpcError as error:
                time.sleep(tries.pause_after(error))
            else:
                self._pulse.beat()
                return reply
        raise AssertionError("unreachable: the tries end by raising")

    def post(self, method: str, payload: bytes) -> None:
        with contextlib.suppress(grpc.RpcError):
            self._channel.unary_unary(_SERVICE + method, None, None)(payload, timeout=1.0)

    def close(self) -> None:
        self._channel.close()


class AsyncGrpcTransport:
    def __init__(self, endpoint: Endpoint, pulse: Pulse) -> None:
        self._endpoint = endpoint
        self._pulse = pulse
        target, credentials = read_endpoint(endpoint)
        self._channel = (
            grpc.aio.insecure_channel(target, options=_OPTIONS)
            if credentials is None
            else grpc.aio.secure_channel(target, credentials, options=_OPTIONS)
        )

    async def exchange(self, method: str, payload: bytes, timeout: float) -> bytes:
        call = self._channel.unary_unary(_SERVICE + method, None, None)
        tries = _Tries(method, self._endpoint.address, timeout, self._pulse)
        for remaining in tries:
            try:
                reply: bytes = await call(payload, timeout=remaining)
            except grpc.RpcError as error:
                await asyncio.sleep(tries.pause_after(error))
            else:
                self._pulse.beat()
                return reply
        raise AssertionError("unreachable: the tries end by raising")

    async def post(self, method: str, payload: bytes) -> None:
        with contextlib.suppress(grpc.RpcError):
            await self._channel.unary_unary(_SERVICE + method, None, None)(payload, timeout=1.0)

    async def close(self) -> None:
        await self._channel.close(None)


class _Tries:
    """Yields the seconds left for each try; `pause_after` raises where another try cannot help."""

    def __init__(self, method: str, address: str, timeout: float, pulse: Pulse) -> None:
        self._method = method
        self._address = address
        self._timeout = timeout
        self._pulse = pulse
        self._start = time.monotonic()
        self._pauses = [0.2, 0.4, 0.8, *(pause / 5 for pause in RESEND_AFTER_S)]

    def __iter__(self) -> Iterator[float]:
        while True:
            yield max(0.001, self._timeout - (time.monotonic() - self._start))

    def pause_after(self, error: grpc.RpcError) -> float:
        refusal = _read_error(error)
        if refusal is not None:
            self._pulse.beat()
            raise refusal from error
        code = error.code()
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            raise timed_out(self._method, self._address, self._timeout) from error
        if code is not grpc.StatusCode.UNAVAILABLE:
            message = f"Cannot call {self._method}, at {self._address}: found status {code.name}, {error.details()}"
            raise ProtocolError("E_PROTOCOL", message) from error
        if not self._pauses or self._pulse.silent_since(self._start) >= min(SILENCE_S, self._timeout):
            raise unreachable(self._method, self._address, "nothing that answers") from error
        return self._pauses.pop(0)


def read_endpoint(endpoint: Endpoint) -> tuple[str, grpc.ChannelCredentials | None]:
    """The target in gRPC's words, and credentials where the channel is encrypted."""
    address = endpoint.address
    if address.startswith(_PLAIN):
        return address.removeprefix(_PLAIN), None
    root = None if endpoint.tls_ca is None else endpoint.tls_ca.read_bytes()
    return address.removeprefix(_TLS), grpc.ssl_channel_credentials(root)


def _read_error(error: grpc.RpcError) -> MuxgymError | None:
    metadata = cast("Iterable[tuple[str, bytes]]", error.trailing_metadata() or ())
    payload = next((value for key, value in metadata if key == _ERROR_KEY), None)
    return None if payload is None else read_refusal(payload)
