"""What carries calls to a server. The leaves are `zeromq` and `grpc`; `address` chooses one."""

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from google.protobuf.message import DecodeError

from muxgym._proto import gym_pb2 as wire
from muxgym.errors import MuxgymError, ProtocolError, ServerUnreachable, Timeout, make_refusal

#: Seconds until a call is sent again, one entry a try. A repeat joins the first one at the server.
RESEND_AFTER_S = (5.0, 10.0, 20.0)

#: Seconds without any sign of life from the server, after which a waiting call gives up.
SILENCE_S = 15.0


class Transport(Protocol):
    """Carries one call at a time a thread; threads do not wait for each other."""

    def exchange(self, method: str, payload: bytes, timeout: float) -> bytes:
        """The reply's payload. Sends again, within a bound, what got no answer.

        Raises ServerUnreachable after `SILENCE_S` without a sign of life, Timeout after `timeout` seconds, and what
        the server refused.
        """
        ...

    def post(self, method: str, payload: bytes) -> None:
        """Sends once and does not wait for the answer."""
        ...

    def close(self) -> None: ...


class AsyncTransport(Protocol):
    """As `Transport`, for any number of calls at a time in one event loop."""

    async def exchange(self, method: str, payload: bytes, timeout: float) -> bytes: ...

    async def post(self, method: str, payload: bytes) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CurveKeys:
    """ZeroMQ's CURVE keys in Z85, 40 characters each: the server's public one and this client's own pair."""

    server: str
    public: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server is and how to prove who asks."""

    address: str
    keys: CurveKeys | None = None
    #: A PEM file of the authority that signed the server's certificate, for `grpcs://`.
    tls_ca: Path | None = None


@dataclass(slots=True)
class Pulse:
    """When the server last gave a sign of life, on the monotonic clock. Shared by threads; one float, no lock."""

    last: float = -math.inf

    def beat(self) -> None:
        self.last = time.monotonic()

    def silent_since(self, start: float) -> float:
        """Seconds without a sign of life, counted from `start` at the earliest."""
        return time.monotonic() - max(self.last, start)


@dataclass(slots=True)
class Patience:
    """One call's waiting: when to look up, when to send again, when to give up."""

    method: str
    address: str
    timeout: float
    pulse: Pulse
    start: float = field(default_factory=time.monotonic)
    _resends: list[float] = field(default_factory=lambda: list(RESEND_AFTER_S))
    _sent: float = field(default_factory=time.monotonic)

    def next_look_s(self) -> float:
        """Seconds to wait for the answer before asking `is_resend_due` and `check`; at most one second."""
        now = time.monotonic()
        resend = self._sent + self._resends[0] if self._resends else math.inf
        return max(0.0, min(1.0, self.start + self.timeout - now, resend - now))

    def is_resend_due(self) -> bool:
        """Whether to send again now; counts as done."""
        if not self._resends or time.monotonic() - self._sent < self._resends[0]:
            return False
        self._resends.pop(0)
        self._sent = time.monotonic()
        return True

    def check(self) -> None:
        """Raises once the waiting is over."""
        if self.pulse.silent_since(self.start) >= min(SILENCE_S, self.timeout):
            raise unreachable(self.method, self.address, f"no sign of life for {min(SILENCE_S, self.timeout):g} s")
        if time.monotonic() - self.start >= self.timeout:
            raise timed_out(self.method, self.address, self.timeout)


def unreachable(method: str, address: str, found: str) -> ServerUnreachable:
    message = f"Cannot call {method}, at {address}: expected a muxgym server, found {found}"
    return ServerUnreachable("E_UNREACHABLE", message, hint="is `muxgym serve` running at this address?")


def timed_out(method: str, address: str, timeout: float) -> Timeout:
    message = f"Cannot wait longer for {method}, at {address}: expected an answer within {timeout:g} s, found none"
    return Timeout("E_TIMEOUT", message, hint="the same call may be repeated; nothing is done twice")


def read_refusal(payload: bytes) -> MuxgymError:
    """The exception for the payload of an error reply."""
    try:
        error = wire.Error.FromString(payload)
    except DecodeError:
        return ProtocolError("E_PROTOCOL", "Cannot read a refusal: expected a muxgym.v1.Error")
    return make_refusal(
        error.code,
        error.message,
        hint=error.hint,
        boundary=error.boundary,
        retry_after_s=error.retry_after_ms / 1000,
    )
