"""Calls over ZeroMQ: a DEALER socket.

Frames: `request id, method, payload`, answered by `request id, status, payload`.
"""

import asyncio
import threading
from collections.abc import Iterator
from itertools import count
from uuid import uuid4

import zmq
import zmq.asyncio

from muxgym.errors import ProtocolError
from muxgym.transport import Endpoint, Patience, Pulse, read_refusal

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


class AsyncZeroMqTransport:
    """One socket for all calls of one event loop."""

    def __init__(self, endpoint: Endpoint, pulse: Pulse) -> None:
        self._endpoint = endpoint
        self._pulse = pulse
        self._context = zmq.asyncio.Context()
        self._waiting: dict[bytes, asyncio.Future[list[bytes]]] = {}
        self._ids = _request_ids()
        self._socket: zmq.asyncio.Socket | None = None
        self._receiver: asyncio.Task[None] | None = None

    async def exchange(self, method: str, payload: bytes, timeout: float) -> bytes:
        socket = self._open()
        request = next(self._ids)
        message = [request, method.encode(), payload]
        patience = Patience(method, self._endpoint.address, timeout, self._pulse)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[request] = answer
        try:
            await socket.send_multipart(message)
            while True:
                done, _ = await asyncio.wait((answer,), timeout=patience.next_look_s())
                if done:
                    return open_reply(answer.result())
                patience.check()
                if patience.is_resend_due():
                    await socket.send_multipart(message)
        finally:
            del self._waiting[request]

    async def post(self, method: str, payload: bytes) -> None:
        await self._open().send_multipart([next(self._ids), method.encode(), payload])

    async def close(self) -> None:
        if self._receiver is not None:
            self._receiver.cancel()
            await asyncio.gather(self._receiver, return_exceptions=True)
        self._context.destroy(linger=0)

    def _open(self) -> zmq.asyncio.Socket:
        if self._socket is None:
            self._socket = self._context.socket(zmq.DEALER)
            connect(self._socket, self._endpoint)
            self._receiver = asyncio.get_running_loop().create_task(self._receive(self._socket))
        return self._socket

    async def _receive(self, socket: zmq.asyncio.Socket) -> None:
        while True:
            frames = await socket.recv_multipart()
            self._pulse.beat()
            answer = self._waiting.get(frames[0])
            if answer is not None and not answer.done():
                answer.set_result(frames)


def connect(socket: "zmq.Socket[bytes] | zmq.asyncio.Socket", endpoint: Endpoint) -> None:
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
