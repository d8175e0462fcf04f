"""Tells the server that this client lives, from a thread and a socket of its own."""

import threading

from muxgym import calls
from muxgym.address import open_transport
from muxgym.errors import MuxgymError
from muxgym.transport import Endpoint, Pulse

_EVERY_S = 1.0


class Heartbeat:
    """Beats once a second from `start` to `stop`, so that a training step of minutes loses no episode.

    Every answer, a refusal too, is a sign of life for the calls that wait. A beat that gets none is not an error here:
    the waiting call finds the silence.
    """

    def __init__(self, endpoint: Endpoint, client: str, pulse: Pulse) -> None:
        self._endpoint = endpoint
        self._call = calls.heartbeat(client)
        self._pulse = pulse
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="muxgym-heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Takes at most two seconds, and none where the server answers."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        transport = open_transport(self._endpoint, self._pulse)
        try:
            while not self._stop.wait(_EVERY_S):
                try:
                    transport.exchange(self._call.method, self._call.payload, _EVERY_S)
                except MuxgymError:
                    continue
        finally:
            transport.close()
