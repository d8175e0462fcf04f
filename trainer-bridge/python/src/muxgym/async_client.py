"""The client for asyncio: the same calls as `Client`, any number at a time."""

import asyncio
from collections.abc import Callable, Iterable
from collections.abc import Sequence as List
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self, TypeVar, Unpack

from muxgym import actions, calls
from muxgym._proto import gym_pb2 as wire
from muxgym.address import open_async_transport
from muxgym.calls import Call, ScriptJob, Setting, TaskQuery, TaskRanges
from muxgym.client import SECONDS_A_JOB
from muxgym.errors import LeaseExpired, MuxgymError, ServerUnreachable, Timeout
from muxgym.link import DEFAULT_TIMEOUT_S, Identity, Settings, read_environment
from muxgym.sequence import Sequence
from muxgym.tasks import AsyncTaskList
from muxgym.transport import AsyncTransport, CurveKeys
from muxgym.values import Description, EpisodeStart, Grade, Health, Observation, Step, TruncationReason

Value = TypeVar("Value")


class AsyncClient:
    """As `Client`, for one event loop; connects at the first call. A cancelled task cancels its call at the server."""

    def __init__(
        self,
        address: str,
        *,
        timeout: float = DEFAULT_TIMEOUT_S,
        split: str = "",
        keys: CurveKeys | None = None,
        tls_ca: Path | str | None = None,
    ) -> None:
        self._settings = Settings.make(address, timeout=timeout, split=split, keys=keys, tls_ca=tls_ca)
        self._begin()

    @classmethod
    def from_env(cls, *, timeout: float = DEFAULT_TIMEOUT_S, split: str = "") -> Self:
        address, keys = read_environment()
        return cls(address, timeout=timeout, split=split, keys=keys)

    @property
    def address(self) -> str:
        return self._settings.endpoint.address

    async def describe(self) -> Description:
        transport = await self._connect()
        return await self._describe(transport)

    async def health(self) -> Health:
        return await _exchange(self._open(), calls.health(), self._settings.quick_s)

    async def prefetch(self, tasks: Iterable[str], *, sample: int = 0) -> int:
        names = list(tasks)
        return await self.run(lambda client: calls.prefetch(client, names, sample), renew=True)

    async def create_tasks(
        self,
        *,
        suite: str = "cliff",
        seed: int = 0,
        size: int | None = None,
        **ranges: Unpack[TaskRanges],
    ) -> AsyncTaskList:
        """As `Client.create_tasks`: `await tasks.at(5)`, `async for task in tasks`, `tasks.size`."""
        query = TaskQuery(suite, seed, size, **ranges)
        return await AsyncTaskList.open(self, query)

    async def create(
        self,
        task: str | None = None,
        *,
        suite: str = "cliff",
        depth: int | None = None,
        ops: int | None = None,
        seed: int | None = None,
        sample: int = 0,
        **setting: Unpack[Setting],
    ) -> "AsyncEpisode":
        name = calls.name_task(task, suite, depth, ops, seed)
        return (await self._create(name, size=1, sample=sample, setting=setting))[0]

    async def create_group(
        self, task: str, *, size: int, sample: int = 0, **setting: Unpack[Setting]
    ) -> "list[AsyncEpisode]":
        return await self._create(task, size=size, sample=sample, setting=setting)

    async def score_scripts(
        self, jobs: Iterable[tuple[str, str] | ScriptJob], *, sample: int = 0, timeout: float | None = None
    ) -> list[Grade]:
        listed = [job if isinstance(job, ScriptJob) else ScriptJob(*job, sample=sample) for job in jobs]
        if not listed:
            return []
        patience = self._settings.timeout + SECONDS_A_JOB * len(listed) if timeout is None else timeout
        return await self.run(lambda client: calls.score_scripts(client, listed), timeout=patience, renew=True)

    async def close(self) -> None:
        identity, transport = self._identity, self._transport
        self._begin()
        await asyncio.to_thread(identity.stop_heartbeat)
        if transport is not None:
            await transport.close()

    async def run(
        self, make: Callable[[str], Call[Value]], *, timeout: float | None = None, renew: bool = False
    ) -> Value:
        """Makes one call as this client. `renew`: where the lease has ended, begin anew and try once more."""
        transport = await self._connect()
        call = make(self._identity.client)
        patience = self._settings.timeout if timeout is None else timeout
        try:
            return await self._cancelling(transport, call, patience)
        except LeaseExpired:
            if not renew:
                raise
        await self.describe()
        return await self._cancelling(transport, call, patience)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __getstate__(self) -> Settings:
        return self._settings

    def __setstate__(self, settings: Settings) -> None:
        self._settings = settings
        self._begin()

    def __repr__(self) -> str:
        return f"AsyncClient({self.address!r})"

    async def _create(self, task: str, *, size: int, sample: int, setting: Setting) -> "list[AsyncEpisode]":
        starts = await self.run(
            lambda client: calls.create(client, task, sample=sample, size=size, setting=setting), renew=True
        )
        return [AsyncEpisode(self, start) for start in starts]

    def _begin(self) -> None:
        self._identity = Identity(self._settings)
        self._transport: AsyncTransport | None = None
        self._lock = asyncio.Lock()
        self._described = False

    def _open(self) -> AsyncTransport:
        if self._transport is None or not self._identity.is_ours():
            if not self._identity.is_ours():
                self._inherited = (self._identity, self._transport)  # kept: their ends are the parent's business
                self._begin()
            self._transport = open_async_transport(self._settings.endpoint, self._identity.pulse)
        return self._transport

    async def _connect(self) -> AsyncTransport:
        transport = self._open()
        if self._described:
            return transport
        async with self._lock:
            if not self._described:
                await self._describe(transport)
                self._identity.start_heartbeat()
                self._described = True
        return transport

    async def _describe(self, transport: AsyncTransport) -> Description:
        call = calls.describe(self._identity.client, self._settings.split)
        return await _exchange(transport, call, self._settings.quick_s)

    async def _cancelling(self, transport: AsyncTransport, call: Call[Value], timeout: float) -> Value:
        try:
            return await _exchange(transport, call, timeout)
        except (TimeoutError, asyncio.CancelledError):
            if call.key:
                cancel = calls.cancel(self._identity.client, call.key)
                await transport.post(cancel.method, cancel.payload)
            raise


class AsyncEpisode:
    """As `Episode`. One action at a time."""

    def __init__(self, client: AsyncClient, start: EpisodeStart) -> None:
        self._client = client
        self._sequence = Sequence()
        self.id = start.id
        self.task = start.task
        self.task_hash = start.task_hash
        self.prompt = start.prompt
        self.observation: Observation = start.observation
        self.max_steps = start.max_steps

    async def act(self, command: str) -> Step:
        return await self._act(actions.make_command(command))

    async def run_script(self, script: str) -> Step:
        return await self._act(actions.make_script(script))

    async def keys(self, target: str, keys: List[str]) -> Step:
        return await self._act(actions.make_keys(target, keys))

    async def wait(self, ticks: int = 1) -> Step:
        return await self._act(actions.make_wait(ticks))

    async def done(self) -> Step:
        return await self._act(actions.make_done())

    async def grade(self, truncated_by: TruncationReason | None = None) -> Grade:
        return await self._client.run(lambda client: calls.grade(client, self.id, truncated_by))

    async def release(self) -> None:
        try:
            await self._client.run(lambda client: calls.release(client, self.id))
        except LeaseExpired:
            return

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.release()
        except MuxgymError:
            if error is None:
                raise

    def __reduce__(self) -> NoReturn:
        raise TypeError("Cannot pickle an episode: it belongs to the client that created it; send its task id instead")

    def __repr__(self) -> str:
        return f"AsyncEpisode({self.id!r}, task={self.task!r})"

    async def _act(self, action: wire.Action) -> Step:
        number = self._sequence.number(action.SerializeToString(deterministic=True))
        try:
            step = await self._client.run(lambda client: calls.act(client, self.id, number, action))
        except (Timeout, ServerUnreachable):
            raise
        except MuxgymError:
            self._sequence.refused()
            raise
        self._sequence.answered()
        self.observation = step.observation
        return step


async def _exchange(transport: AsyncTransport, call: Call[Value], timeout: float) -> Value:
    return call.read(await transport.exchange(call.method, call.payload, timeout))
