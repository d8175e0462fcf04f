"""One process's connection of one client: the transport, the heartbeat, and the id that names the client."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from uuid import uuid4

from muxgym.address import check_address
from muxgym.heartbeat import Heartbeat
from muxgym.transport import SILENCE_S, CurveKeys, Endpoint, Pulse

DEFAULT_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a client is made of; this is all that is pickled."""

    endpoint: Endpoint
    timeout: float = DEFAULT_TIMEOUT_S
    split: str = ""

    @property
    def quick_s(self) -> float:
        """Seconds for a call that a living server answers at once."""
        return min(self.timeout, SILENCE_S)

    @classmethod
    def make(
        cls, address: str, *, timeout: float, split: str, keys: CurveKeys | None, tls_ca: Path | str | None
    ) -> Self:
        check_address(address)
        return cls(Endpoint(address, keys, None if tls_ca is None else Path(tls_ca)), timeout, split)


def read_environment() -> tuple[str, CurveKeys | None]:
    """MUXGYM_ADDRESS, and the three MUXGYM_CURVE_{SERVER,PUBLIC,SECRET} where encryption is wanted."""
    names = ("MUXGYM_CURVE_SERVER", "MUXGYM_CURVE_PUBLIC", "MUXGYM_CURVE_SECRET")
    keys = [os.environ.get(name, "") for name in names]
    return os.environ.get("MUXGYM_ADDRESS", "tcp://127.0.0.1:5755"), CurveKeys(*keys) if all(keys) else None


@dataclass(slots=True)
class Identity:
    """A client's life: made anew after a fork, since neither threads nor sockets survive one."""

    settings: Settings
    client: str = field(default_factory=lambda: uuid4().hex)
    pulse: Pulse = field(default_factory=Pulse)
    process: int = field(default_factory=os.getpid)
    heartbeat: Heartbeat | None = None

    def is_ours(self) -> bool:
        return self.process == os.getpid()

    def start_heartbeat(self) -> None:
        if self.heartbeat is None:
            self.heartbeat = Heartbeat(self.settings.endpoint, self.client, self.pulse)
            self.heartbeat.start()

    def stop_heartbeat(self) -> None:
        if self.heartbeat is not None and self.is_ours():
            self.heartbeat.stop()
        self.heartbeat = None
