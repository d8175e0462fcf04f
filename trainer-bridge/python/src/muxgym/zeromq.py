"""Calls over ZeroMQ: a DEALER socket.

Frames: `request id, method, payload`, answered by `request id, status, payload`.
"""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from uuid import uuid4

import zmq

from muxgym.errors import MuxgymError, ProtocolError
from muxgym.transport import Endpoint, Patience, Pulse, read_refusal, unreachable

_REPLY_FRAMES = 3


class ZeroMqTransport:
    """One context, one socket a thread. `close` ends the sockets of all threads; none of them may be in a call then."""

    def __init__(self, endpoint: Endpoint, pulse: Pulse) -> None:
        self._endpoint = endpoint
        self._pulse = pulse
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._local = threading.local()
        self._ids = _request_ids()

    def exchange(self, method: str, payload: bytes, timeout: float) -> bytes:
        socket = self._socket()
        request = next(self._ids)
        message = [request, method.encode(), payload]
        patience = Patience(method, self._endpoint.address, timeout, self._pulse)
        socket.send_multipart(message)
        while True:
            frames = _receive(socket, patience.next_look_s())
            if frames is not None:
                self._pulse.beat()
                if frames[0] == request:
                    return open_reply(frames)
                continue  # the late answer to a call that was given up
            patience.check()
            if patience.is_resend_due():
                socket.send_multipart(message)

    def post(self, method: str, payload: bytes) -> None:
        self._socket().send_multipart([next(self._ids), method.encode(), payload])

    def close(self) -> None:
        self._context.destroy(linger=0)

    def _socket(self) -> zmq.Socket[bytes]:
        socket: zmq.Socket[bytes] | None = getattr(self._local, "socket", None)
        if socket is None:
            socket = self._context.socket(zmq.DEALER)
            connect(socket, self._endpoint)
            self._local.socket = socket
        return socket


@dataclass(slots=True)
class _Waiting:
    """A call that was sent and has no answer yet."""

    message: list[bytes]
    answer: asyncio.Future[list[bytes]]
    patience: Patience


class AsyncZeroMqTransport:
    """One socket for all calls of one event loop.

    The loop watches the socket's descriptor, and one timer serves all calls: `zmq.asyncio` makes a future for each send
    and each receipt, which halves the calls a second.
    """

    def __init__(self, endpoint: Endpoint, pulse: Pulse) -> None:
        self._endpoint = endpoint
        self._pulse = pulse
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._waiting: dict[bytes, _Waiting] = {}
        self._ids = _request_ids()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._socket: zmq.Socket[bytes] | None = None
        self._reading = False
        self._timer: asyncio.TimerHandle | None = None

    async def exchange(self, method: str, payload: bytes, timeout: float) -> bytes:
        loop, socket = self._open()
        request = next(self._ids)
        patience = Patience(method, self._endpoint.address, timeout, self._pulse)
        waiting = _Waiting([request, method.encode(), payload], loop.create_future(), patience)
        self._waiting[request] = waiting
        try:
            self._send(loop, socket, waiting.message)
            self._look_in(loop, patience.next_look_s())
            return open_reply(await waiting.answer)
        finally:
            del self._waiting[request]

    async def post(self, method: str, payload: bytes) -> None:
        loop, socket = self._open()
        self._send(loop, socket, [next(self._ids), method.encode(), payload])

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._loop is not None and self._socket is not None:
            self._loop.remove_reader(self._socket.FD)
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                address = self._endpoint.address
                waiting.answer.set_exception(unreachable(waiting.patience.method, address, "a client that was closed"))
        self._context.destroy(linger=0)

    def _open(self) -> tuple[asyncio.AbstractEventLoop, zmq.Socket[bytes]]:
        if self._loop is None or self._socket is None:
            self._loop = asyncio.get_running_loop()
            self._socket = self._context.socket(zmq.DEALER)
            connect(self._socket, self._endpoint)
            self._loop.add_reader(self._socket.FD, self._read)
        return self._loop, self._socket

    def _send(self, loop: asyncio.AbstractEventLoop, socket: zmq.Socket[bytes], message: list[bytes]) -> None:
        socket.send_multipart(message, zmq.DONTWAIT)  # without a high-water mark it always takes it
        # The descriptor tells of changes only, and sending takes them in: what has come must be read for itself.
        if not self._reading:
            self._reading = True
            loop.call_soon(self._read)

    def _read(self) -> None:
        self._reading = False
        socket = self._socket
        if socket is None or socket.closed:
            return
        while True:
            try:
                frames = socket.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                return
            self._pulse.beat()
            waiting = self._waiting.get(frames[0])
            if waiting is not None and not waiting.answer.done():
                waiting.answer.set_result(frames)

    def _look_in(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        """Looks after the waiting calls by then, at the latest."""
        due = loop.time() + seconds
        if self._timer is not None:
            if self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = loop.call_at(due, self._look)

    def _look(self) -> None:
        self._timer = None
        loop, socket = self._open()
        for waiting in [each for each in self._waiting.values() if not each.answer.done()]:
            try:
                waiting.patience.check()
            except MuxgymError as error:
                waiting.answer.set_exception(error)
                continue
            if waiting.patience.is_resend_due():
                self._send(loop, socket, waiting.message)
            self._look_in(loop, waiting.patience.next_look_s())


def connect(socket: zmq.Socket[bytes], endpoint: Endpoint) -> None:
    socket.setsockopt(zmq.LINGER, 0)
    socket.setsockopt(zmq.SNDHWM, 0)
    socket.setsockopt(zmq.RCVHWM, 0)
    socket.setsockopt(zmq.RECONNECT_IVL, 50)
    socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
    if endpoint.keys is not None:
        socket.curve_serverkey = endpoint.keys.server.encode()
        socket.curve_publickey = endpoint.keys.public.encode()
        socket.curve_secretkey = endpoint.keys.secret.encode()
    try:
        socket.connect(endpoint.address)
    except zmq.ZMQError as cause:
        message = f"Cannot connect: expected an address such as tcp://127.0.0.1:5755, found {endpoint.address!r}"
        raise ProtocolError("E_ADDRESS", message) from cause


def open_reply(frames: list[bytes]) -> bytes:
    """The payload of a reply; raises what the server refused."""
    if len(frames) < _REPLY_FRAMES or frames[1] not in (b"ok", b"error"):
        status = frames[1][:40] if len(frames) > 1 else b""
        message = (
            "Cannot read a reply: expected the frames request id, ok or error, and payload, "
            f"found {len(frames)} frames, status {status!r}"
        )
        raise ProtocolError("E_PROTOCOL", message)
    if frames[1] == b"error":
        raise read_refusal(frames[2])
    return frames[2]


def _receive(socket: zmq.Socket[bytes], timeout: float) -> list[bytes] | None:
    """The next message, or None after `timeout` seconds."""
    return socket.recv_multipart() if socket.poll(round(timeout * 1000)) else None


def _request_ids() -> Iterator[bytes]:
    """Unlike any other client's, and unlike each other. Safe to share between threads: `next` is one operation."""
    prefix = uuid4().bytes
    return map(prefix.__add__, map(_eight_bytes, count()))


def _eight_bytes(number: int) -> bytes:
    return number.to_bytes(8, "big")
