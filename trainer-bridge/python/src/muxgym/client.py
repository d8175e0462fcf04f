"""The blocking client."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar, Unpack

from muxgym import calls
from muxgym.address import open_transport
from muxgym.calls import Call, ScriptJob, Setting, TaskQuery, TaskRanges
from muxgym.episode import Episode
from muxgym.errors import LeaseExpired
from muxgym.link import DEFAULT_TIMEOUT_S, Identity, Settings, read_environment
from muxgym.tasks import TaskList
from muxgym.transport import CurveKeys, Transport
from muxgym.values import Description, Grade, Health

Value = TypeVar("Value")

#: Seconds that each job adds to the time that `score_scripts` waits.
SECONDS_A_JOB = 10.0


class Client:
    """Talks to `muxgym serve`. Connects at the first call; threads may share it; `close` ends its episodes.

    It can be pickled and survives a fork: the copy is a client of its own, with no episodes.
    """

    def __init__(
        self,
        address: str,
        *,
        timeout: float = DEFAULT_TIMEOUT_S,
        split: str = "",
        keys: CurveKeys | None = None,
        tls_ca: Path | str | None = None,
    ) -> None:
        """`address`: tcp://HOST:PORT for ZeroMQ, grpc://HOST:PORT or grpcs://HOST:PORT for gRPC.

        `timeout`: seconds until a call gives up; a server that gives no sign of life ends it sooner. `split`: a
        narrower split of the file that is served. `keys`: for a ZeroMQ server that is not on loopback. `tls_ca`: PEM
        file of the authority behind a `grpcs://` server.
        """
        self._settings = Settings.make(address, timeout=timeout, split=split, keys=keys, tls_ca=tls_ca)
        self._begin()

    @classmethod
    def from_env(cls, *, timeout: float = DEFAULT_TIMEOUT_S, split: str = "") -> Self:
        """A client for MUXGYM_ADDRESS, by default tcp://127.0.0.1:5755."""
        address, keys = read_environment()
        return cls(address, timeout=timeout, split=split, keys=keys)

    @property
    def address(self) -> str:
        return self._settings.endpoint.address

    def describe(self) -> Description:
        """What the server is. The first call of every client; made by itself."""
        identity, transport = self._connect()
        return self._exchange(transport, calls.describe(identity.client, self._settings.split), self._settings.quick_s)

    def health(self) -> Health:
        _, transport = self._open()
        return self._exchange(transport, calls.health(), self._settings.quick_s)

    def prefetch(self, tasks: Iterable[str], *, sample: int = 0) -> int:
        """Asks for worlds to be made ready in the background; returns how many the server took on."""
        names = list(tasks)
        return self.run(lambda client: calls.prefetch(client, names, sample), renew=True)

    def create_tasks(
        self,
        *,
        suite: str = "cliff",
        seed: int = 0,
        size: int | None = None,
        **ranges: Unpack[TaskRanges],
    ) -> TaskList:
        """A list of tasks, made at the server as they are asked for: `tasks[5]`, `for task in tasks`, `len(tasks)`.

        The same arguments give the same list from any server of one generator; another `seed` gives other tasks.
        Without `size` and `seeds` the list has no end. Ranges are as on the command line, such as depths="D0-D2". What
        the split of the server holds out is not in it.
        """
        query = TaskQuery(suite, seed, size, **ranges)
        return TaskList(self, query)

    def create(
        self,
        task: str | None = None,
        *,
        suite: str = "cliff",
        depth: int | None = None,
        ops: int | None = None,
        seed: int | None = None,
        sample: int = 0,
        **setting: Unpack[Setting],
    ) -> Episode:
        """One episode of a task, by id or by its axes. `sample` chooses its secrets; for events see `Setting`."""
        name = calls.name_task(task, suite, depth, ops, seed)
        return self._create(name, size=1, sample=sample, setting=setting)[0]

    def create_group(self, task: str, *, size: int, sample: int = 0, **setting: Unpack[Setting]) -> list[Episode]:
        """`size` episodes with identical start states."""
        return self._create(task, size=size, sample=sample, setting=setting)

    def score_scripts(
        self, jobs: Iterable[tuple[str, str] | ScriptJob], *, sample: int = 0, timeout: float | None = None
    ) -> list[Grade]:
        """Whole single-turn episodes in one call: one grade a job, in order.

        A job is `(task, script)`, run with the secrets of `sample`, or a ScriptJob with its own. A job whose world
        failed has a masked grade. Waits for `timeout` seconds, by default as long as the number of jobs needs.
        """
        listed = [job if isinstance(job, ScriptJob) else ScriptJob(*job, sample=sample) for job in jobs]
        if not listed:
            return []
        patience = self._settings.timeout + SECONDS_A_JOB * len(listed) if timeout is None else timeout
        return self.run(lambda client: calls.score_scripts(client, listed), timeout=patience, renew=True)

    def close(self) -> None:
        """Ends the client; the server frees what it still held. Idempotent: a later call connects anew."""
        with self._lock:
            identity, transport = self._identity, self._transport
            self._begin_identity()
            identity.stop_heartbeat()
            if transport is not None and identity.is_ours():
                transport.close()

    def run(self, make: Callable[[str], Call[Value]], *, timeout: float | None = None, renew: bool = False) -> Value:
        """Makes one call as this client. `renew`: where the lease has ended, begin anew and try once more."""
        identity, transport = self._connect()
        call = make(identity.client)
        patience = self._settings.timeout if timeout is None else timeout
        try:
            return self._cancelling(transport, identity, call, patience)
        except LeaseExpired:
            if not renew:
                raise
        self.describe()
        return self._cancelling(transport, identity, call, patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getstate__(self) -> Settings:
        return self._settings

    def __setstate__(self, settings: Settings) -> None:
        self._settings = settings
        self._begin()

    def __repr__(self) -> str:
        return f"Client({self.address!r})"

    def _create(self, task: str, *, size: int, sample: int, setting: Setting) -> list[Episode]:
        starts = self.run(
            lambda client: calls.create(client, task, sample=sample, size=size, setting=setting), renew=True
        )
        return [Episode(self, start) for start in starts]

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._begin_identity()

    def _begin_identity(self) -> None:
        self._identity = Identity(self._settings)
        self._transport: Transport | None = None
        self._described = False

    def _open(self) -> tuple[Identity, Transport]:
        with self._lock:
            if not self._identity.is_ours():
                self._inherited = (self._identity, self._transport)  # kept: their ends are the parent's business
                self._begin_identity()
            if self._transport is None:
                self._transport = open_transport(self._settings.endpoint, self._identity.pulse)
            return self._identity, self._transport

    def _connect(self) -> tuple[Identity, Transport]:
        with self._lock:
            identity, transport = self._open()
            if not self._described:
                self._exchange(transport, calls.describe(identity.client, self._settings.split), self._settings.quick_s)
                identity.start_heartbeat()
                self._described = True
            return identity, transport

    def _cancelling(self, transport: Transport, identity: Identity, call: Call[Value], timeout: float) -> Value:
        """A call that is given up midway is cancelled at the server, so that nothing works on for nobody."""
        try:
            return self._exchange(transport, call, timeout)
        except (TimeoutError, KeyboardInterrupt):
            if call.key:
                cancel = calls.cancel(identity.client, call.key)
                transport.post(cancel.method, cancel.payload)
            raise

    def _exchange(self, transport: Transport, call: Call[Value], timeout: float) -> Value:
        reply = transport.exchange(call.method, call.payload, min(timeout, threading.TIMEOUT_MAX))
        return call.read(reply)
