"""Every call of the service, as data: the request's bytes and how to read the reply's. No wire, no waiting."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypedDict, TypeVar
from uuid import uuid4

from google.protobuf.message import DecodeError, Message

from muxgym._proto import gym_pb2 as wire
from muxgym.errors import ProtocolError, TaskError
from muxgym.values import (
    Description,
    EpisodeStart,
    Grade,
    Health,
    Step,
    TaskPage,
    TruncationReason,
    parse_description,
    parse_grade,
    parse_health,
    parse_page,
    parse_start,
    parse_step,
)

#: The version of the calls and of gym.proto.
PROTOCOL = 1

Value = TypeVar("Value")
Reply = TypeVar("Reply", bound=Message)


@dataclass(frozen=True, slots=True)
class Call(Generic[Value]):
    """Sending it twice does nothing twice: it carries a request key or a sequence number, or changes nothing."""

    method: str
    payload: bytes
    read: Callable[[bytes], Value]
    #: What `cancel` would name; "" where the call cannot be cancelled.
    key: str = ""


class TaskRanges(TypedDict, total=False):
    """Ranges of tasks as on the command line, such as depths="D0-D2" or kinds="bell,death"."""

    depths: str
    ops: str
    seeds: str
    kinds: str
    levels: str
    counts: str
    arms: str
    delegations: str
    paraphrases: str
    profile: str


@dataclass(frozen=True, slots=True)
class TaskQuery:
    """Which list of tasks. Ranges are as on the command line, such as "D0-D2"; an empty one is the suite's own."""

    suite: str = "cliff"
    seed: int = 0
    #: None: as many as there are.
    size: int | None = None
    depths: str = ""
    ops: str = ""
    seeds: str = ""
    kinds: str = ""
    levels: str = ""
    counts: str = ""
    arms: str = ""
    delegations: str = ""
    paraphrases: str = ""
    profile: str = ""


@dataclass(frozen=True, slots=True)
class ScriptJob:
    task: str
    script: str
    #: Which set of secrets; the members of a group share one, a later epoch takes another.
    sample: int = 0


def describe(client: str, split: str) -> Call[Description]:
    request = wire.DescribeRequest(protocol=PROTOCOL, client=client, split=split)
    return _call("Describe", request, wire.DescribeReply, _checked_description)


def _checked_description(reply: wire.DescribeReply) -> Description:
    if reply.protocol != PROTOCOL:
        message = f"Cannot use this server: expected protocol {PROTOCOL}, found {reply.protocol}"
        raise ProtocolError("E_PROTOCOL", message)
    return parse_description(reply)


def health() -> Call[Health]:
    return _call("Health", wire.HealthRequest(), wire.HealthReply, parse_health)


def heartbeat(client: str) -> Call[None]:
    return _call("Heartbeat", wire.HeartbeatRequest(client=client), wire.HeartbeatReply, _nothing)


def list_tasks(client: str, query: TaskQuery, start: int, count: int) -> Call[TaskPage]:
    ranges = wire.TaskRanges(
        depths=query.depths,
        ops=query.ops,
        seeds=query.seeds,
        kinds=query.kinds,
        levels=query.levels,
        counts=query.counts,
        arms=query.arms,
        delegations=query.delegations,
        paraphrases=query.paraphrases,
        profile=query.profile,
    )
    request = wire.ListRequest(
        client=client, suite=query.suite, seed=_exact(query.seed, "E_SEED", "seed"), ranges=ranges, count=count
    )
    if query.size is not None:
        request.size = _exact(query.size, "E_LIST_SIZE", "size", least=1)
    setattr(request, "from", start)  # a keyword of Python
    return _call("List", request, wire.ListReply, parse_page)


def _exact(value: int, code: str, name: str, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**53:
        message = f"Cannot list tasks: expected {name} from {least} to 2^53 - 1, found {value!r}"
        raise TaskError(code, message)
    return value


def prefetch(client: str, tasks: Iterable[str], sample: int) -> Call[int]:
    request = wire.PrefetchRequest(client=client, tasks=[wire.TaskRef(id=task, sample=sample) for task in tasks])
    return _call("Prefetch", request, wire.PrefetchReply, lambda reply: reply.accepted)


class Setting(TypedDict, total=False):
    """How an episode is played; not a part of its task."""

    #: How the agent learns of events: it must look, the next observation says so, or `step.info.pushed` does.
    delivery: Literal["poll", "notice", "push"]
    #: "wall": a tick is a real second, and nothing repeats exactly.
    clock: Literal["virtual", "wall"]
    #: Whether perceiving an event earns partial credit of its own.
    shaping: bool


def create(client: str, task: str, *, sample: int, size: int, setting: Setting) -> Call[list[EpisodeStart]]:
    key = uuid4().hex
    request = wire.CreateRequest(
        client=client,
        task=wire.TaskRef(id=task, sample=sample),
        size=size,
        request=key,
        delivery=setting.get("delivery", "poll"),
        clock=setting.get("clock", "virtual"),
        no_shaping=not setting.get("shaping", True),
    )
    return _call("Create", request, wire.CreateReply, lambda reply: list(map(parse_start, reply.episodes)), key)


def act(client: str, episode: str, sequence: int, action: wire.Action) -> Call[Step]:
    request = wire.ActRequest(client=client, episode=episode, sequence=sequence, action=action)
    return _call("Act", request, wire.ActReply, parse_step)


def grade(client: str, episode: str, truncated_by: TruncationReason | None) -> Call[Grade]:
    request = wire.GradeRequest(client=client, episode=episode, truncated=truncated_by or "")
    return _call("Grade", request, wire.GradeReply, lambda reply: parse_grade(reply.grade))


def release(client: str, episode: str) -> Call[None]:
    return _call("Release", wire.ReleaseRequest(client=client, episode=episode), wire.ReleaseReply, _nothing)


def score_scripts(client: str, jobs: Sequence[ScriptJob]) -> Call[list[Grade]]:
    key = uuid4().hex
    made = [wire.ScriptJob(task=wire.TaskRef(id=job.task, sample=job.sample), script=job.script) for job in jobs]
    request = wire.ScoreScriptsRequest(client=client, jobs=made, request=key)

    def read(reply: wire.ScoreScriptsReply) -> list[Grade]:
        if len(reply.grades) != len(jobs):
            message = f"Cannot match grades to jobs: expected {len(jobs)}, found {len(reply.grades)}"
            raise ProtocolError("E_PROTOCOL", message)
        return list(map(parse_grade, reply.grades))

    return _call("ScoreScripts", request, wire.ScoreScriptsReply, read, key)


def cancel(client: str, key: str) -> Call[bool]:
    request = wire.CancelRequest(client=client, request=key)
    return _call("Cancel", request, wire.CancelReply, lambda reply: reply.found)


def name_task(task: str | None, suite: str, depth: int | None, ops: int | None, seed: int | None) -> str:
    """The id itself, or the id that the axes spell."""
    axes = (depth, ops, seed)
    if task is not None:
        if axes != (None, None, None):
            raise TaskError("E_TASK", f'Cannot create task "{task}": expected an id or axes, found both')
        return task
    if None in axes:
        raise TaskError("E_TASK", f"Cannot name a task of suite {suite!r}: expected an id, or depth, ops and seed")
    return f"{suite}-d{depth}-n{ops}-s{seed}"


def _call(
    method: str, request: Message, kind: type[Reply], parse: Callable[[Reply], Value], key: str = ""
) -> Call[Value]:
    def read(payload: bytes) -> Value:
        try:
            reply = kind.FromString(payload)
        except DecodeError as cause:
            message = f"Cannot read the reply to {method}: expected a {kind.DESCRIPTOR.full_name}"
            raise ProtocolError("E_PROTOCOL", message) from cause
        return parse(reply)

    return Call(method, request.SerializeToString(), read, key)


def _nothing(_: Message) -> None:
    return None
