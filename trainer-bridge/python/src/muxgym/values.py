"""What the client returns: plain frozen data, named as in the records of `muxgym eval`."""

import json
from dataclasses import dataclass
from typing import Any, Literal, cast

from muxgym._proto import gym_pb2 as wire

Outcome = Literal["scored", "flagged", "masked"]
TruncationReason = Literal["steps", "ticks", "time", "context"]


@dataclass(frozen=True, slots=True)
class Description:
    """What a server is: versions, isolation, limits."""

    version: str
    generator: str
    rung: str
    tmux_version: str
    #: `name@hash` of what this client may create; empty when everything is served.
    split: str
    max_episodes: int
    #: A client that is silent for this long loses its episodes.
    lease_s: float
    #: An episode without a call for this long ends.
    idle_s: float
    max_message_bytes: int
    #: Random, one value for the life of the server process.
    server: str


@dataclass(frozen=True, slots=True)
class Health:
    status: Literal["SERVING", "DRAINING"]
    live_episodes: int


@dataclass(frozen=True, slots=True)
class Observation:
    """What an action printed. `exit_code` is None where nothing was run or the action was cut."""

    text: str
    exit_code: int | None
    cut_bytes: int


@dataclass(frozen=True, slots=True)
class Check:
    id: str
    role: str
    #: The event that the check belongs to, or None.
    event: str | None
    #: What the probe read; None where nothing could be read, with the reason in `note`.
    value: str | None
    note: str | None
    ok: bool
    #: In [0, 1].
    score: float
    weight: float


EventKind = Literal["death", "activity", "silence", "bell", "completion", "interrupt"]
EventOutcome = Literal[
    "handled",
    "late",
    "perceived-not-reacted",
    "reacted-blind",
    "never-perceived",
    "left-before",
    "not-fired",
    "void",
]


@dataclass(frozen=True, slots=True)
class Event:
    """What became of one event of the task's schedule. A tick is None where there was none."""

    id: str
    kind: EventKind
    #: When the tmux server's own record shows that it happened.
    fired_tick: int | None
    #: The first tick at which the right look would have shown it.
    visible_tick: int | None
    #: The first look that would have shown it, and by which path.
    perceived_tick: int | None
    perceived_by: str | None
    #: A hook, monitor, pipe or blocking wait was set before, and the look came that way.
    armed: bool | None
    #: Looks at the worker before it was visible.
    polls: int
    #: The first right effect; for an event that never happened, the first false alarm.
    reacted_tick: int | None
    deadline_tick: int | None
    outcome: EventOutcome


@dataclass(frozen=True, slots=True)
class EventNotice:
    """An event that began, told under delivery "push"."""

    event: str
    kind: EventKind
    worker: str
    pane: str
    tick: int


@dataclass(frozen=True, slots=True)
class Grade:
    """How an episode ended. `reward` is in [0, 1], and None where the gym itself failed (`outcome` "masked")."""

    outcome: Outcome
    reward: float | None
    passed: bool
    flags: tuple[str, ...]
    #: The part of the machinery that failed and how; None unless masked.
    boundary: str | None
    failure: str | None
    checks: tuple[Check, ...]
    #: One entry an event of the task; cliff tasks have none.
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class StepInfo:
    steps: int
    #: The action was ended at the tick budget of one action.
    action_cut: bool
    #: Ticks of this action that followed real time.
    wall_ticks: int
    reproducible: bool
    #: The grade, once the episode ended.
    grade: Grade | None
    #: Events that began in this step, under delivery "push".
    pushed: tuple[EventNotice, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Gymnasium's step, by name. `reward` is 0 while the episode goes on and None where it was masked."""

    observation: Observation
    reward: float | None
    terminated: bool
    truncated: bool
    #: Why the episode was cut; None unless `truncated`.
    truncated_by: TruncationReason | None
    #: Virtual ticks since the episode began, after this step.
    tick: int
    info: StepInfo


@dataclass(frozen=True, slots=True)
class Task:
    """A problem: its public structure, never a secret."""

    id: str
    #: SHA-256 of the canonical JSON of `data`; names the task in every record.
    hash: str
    prompt: str
    suite: str
    #: Exact, up to 2^53 - 1.
    seed: int
    profile: str
    #: None where the axis does not apply, as for `ops`.
    depth: int | None
    ops: int | None
    #: Where an event task lies: kind, level, count, arm, delegation; None for others.
    axes: dict[str, Any] | None
    #: All of it, as `muxgym generate` writes it.
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TaskPage:
    tasks: tuple[Task, ...]
    #: Of the whole list; None where it has no end.
    size: int | None


@dataclass(frozen=True, slots=True)
class EpisodeStart:
    id: str
    task: str
    task_hash: str
    prompt: str
    observation: Observation
    max_steps: int


def parse_description(reply: wire.DescribeReply) -> Description:
    return Description(
        version=reply.version,
        generator=reply.generator,
        rung=reply.rung,
        tmux_version=reply.tmux_version,
        split=reply.split,
        max_episodes=reply.max_episodes,
        lease_s=reply.lease_ms / 1000,
        idle_s=reply.idle_ms / 1000,
        max_message_bytes=reply.max_message_bytes,
        server=reply.server,
    )


def parse_health(reply: wire.HealthReply) -> Health:
    return Health(cast("Literal['SERVING', 'DRAINING']", reply.status), reply.live_episodes)


def parse_page(reply: wire.ListReply) -> TaskPage:
    return TaskPage(tuple(map(_parse_task, reply.tasks)), reply.size if reply.HasField("size") else None)


def _parse_task(listed: wire.ListedTask) -> Task:
    data = json.loads(listed.json)
    return Task(
        id=data["id"],
        hash=listed.task_hash,
        prompt=data["prompt"],
        suite=data["suite"],
        seed=data["seed"],
        profile=data["profile"],
        depth=data["depth"],
        ops=data["ops"],
        axes=data.get("axes"),
        data=data,
    )


def parse_start(reply: wire.Episode) -> EpisodeStart:
    return EpisodeStart(
        id=reply.id,
        task=reply.task,
        task_hash=reply.task_hash,
        prompt=reply.prompt,
        observation=_parse_observation(reply.observation),
        max_steps=reply.max_steps,
    )


def parse_step(reply: wire.ActReply) -> Step:
    return Step(
        observation=_parse_observation(reply.observation),
        reward=reply.reward if reply.HasField("reward") else None,
        terminated=reply.terminated,
        truncated=reply.truncated != "",
        truncated_by=cast("TruncationReason", reply.truncated) if reply.truncated else None,
        tick=reply.tick,
        info=StepInfo(
            steps=reply.steps,
            action_cut=reply.action_cut,
            wall_ticks=reply.wall_ticks,
            reproducible=reply.reproducible,
            grade=parse_grade(reply.grade) if reply.HasField("grade") else None,
            pushed=tuple(_parse_notice(notice) for notice in reply.pushed),
        ),
    )


def parse_grade(reply: wire.EpisodeGrade) -> Grade:
    masked = reply.outcome == "masked"
    return Grade(
        outcome=cast("Outcome", reply.outcome),
        reward=None if masked or not reply.HasField("reward") else reply.reward,
        passed=reply.passed,
        flags=tuple(reply.flags),
        boundary=reply.boundary or None,
        failure=reply.failure or None,
        checks=tuple(_parse_check(check) for check in reply.checks),
        events=tuple(_parse_event(event) for event in reply.events),
    )


def _parse_event(event: wire.EventResult) -> Event:
    return Event(
        id=event.id,
        kind=cast("EventKind", event.kind),
        fired_tick=event.fired_tick if event.HasField("fired_tick") else None,
        visible_tick=event.visible_tick if event.HasField("visible_tick") else None,
        perceived_tick=event.perceived_tick if event.HasField("perceived_tick") else None,
        perceived_by=event.perceived_by if event.HasField("perceived_by") else None,
        armed=event.armed if event.HasField("armed") else None,
        polls=event.polls,
        reacted_tick=event.reacted_tick if event.HasField("reacted_tick") else None,
        deadline_tick=event.deadline_tick if event.HasField("deadline_tick") else None,
        outcome=cast("EventOutcome", event.outcome),
    )


def _parse_notice(notice: wire.EventNotice) -> EventNotice:
    kind = cast("EventKind", notice.kind)
    return EventNotice(event=notice.event, kind=kind, worker=notice.worker, pane=notice.pane, tick=notice.tick)


def _parse_check(check: wire.CheckResult) -> Check:
    return Check(
        id=check.id,
        role=check.role,
        event=check.event or None,
        value=check.value if check.HasField("value") else None,
        note=check.note or None,
        ok=check.ok,
        score=check.score,
        weight=check.weight,
    )


def _parse_observation(observation: wire.Observation) -> Observation:
    return Observation(
        text=observation.text,
        exit_code=observation.exit_code if observation.HasField("exit_code") else None,
        cut_bytes=observation.cut_bytes,
    )
