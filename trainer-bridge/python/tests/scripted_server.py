"""A ROUTER socket that answers as a test says: for what a real server does only when something is wrong."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import zmq

from muxgym._proto import gym_pb2 as wire

#: From a method and its payload to the status and payload of the reply; None: no reply.
Answer = Callable[[str, bytes], tuple[bytes, bytes] | None]


@dataclass
class ScriptedServer:
    address: str
    #: Every request but heartbeats, in order: request id, method, payload.
    seen: list[tuple[bytes, str, bytes]] = field(default_factory=list)
    #: Released once a heartbeat.
    heartbeats: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def count(self, method: str) -> int:
        return sum(each == method for _, each, _ in self.seen)


@contextmanager
def serve_scripted(answer: Answer) -> Iterator[ScriptedServer]:
    """Describe, heartbeats and releases are answered as a healthy server does; the rest as `answer` says."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.ROUTER)
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    server = ScriptedServer(f"tcp://127.0.0.1:{port}")
    stop = threading.Event()
    thread = threading.Thread(target=_run, args=(socket, server, answer, stop))
    thread.start()
    try:
        yield server
    finally:
        stop.set()
        thread.join()
        context.destroy(linger=0)


def refuse(code: str, *, retry_after_ms: int = 0, hint: str = "") -> tuple[bytes, bytes]:
    error = wire.Error(code=code, message=f"Cannot do it ({code})", retry_after_ms=retry_after_ms, hint=hint)
    return b"error", error.SerializeToString()


def _run(socket: zmq.Socket[bytes], server: ScriptedServer, answer: Answer, stop: threading.Event) -> None:
    while not stop.is_set():
        if not socket.poll(20):
            continue
        identity, request, method, payload = socket.recv_multipart()
        reply = _reply(server, answer, request, method.decode(), payload)
        if reply is not None:
            socket.send_multipart([identity, request, *reply])


def _reply(
    server: ScriptedServer, answer: Answer, request: bytes, method: str, payload: bytes
) -> tuple[bytes, bytes] | None:
    if method == "Heartbeat":
        server.heartbeats.release()
        return b"ok", b""
    server.seen.append((request, method, payload))
    if method == "Describe":
        return b"ok", wire.DescribeReply(protocol=1, rung="bubblewrap").SerializeToString()
    return (b"ok", b"") if method == "Release" else answer(method, payload)
