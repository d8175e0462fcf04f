from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DescribeRequest(_message.Message):
    __slots__ = ("protocol", "client", "split")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    client: str
    split: str
    def __init__(self, protocol: _Optional[int] = ..., client: _Optional[str] = ..., split: _Optional[str] = ...) -> None: ...

class DescribeReply(_message.Message):
    __slots__ = ("protocol", "version", "generator", "rung", "tmux_version", "split", "max_episodes", "lease_ms", "max_message_bytes", "idle_ms", "server")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GENERATOR_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    TMUX_VERSION_FIELD_NUMBER: _ClassVar[int]
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    MAX_EPISODES_FIELD_NUMBER: _ClassVar[int]
    LEASE_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    IDLE_MS_FIELD_NUMBER: _ClassVar[int]
    SERVER_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    version: str
    generator: str
    rung: str
    tmux_version: str
    split: str
    max_episodes: int
    lease_ms: int
    max_message_bytes: int
    idle_ms: int
    server: str
    def __init__(self, protocol: _Optional[int] = ..., version: _Optional[str] = ..., generator: _Optional[str] = ..., rung: _Optional[str] = ..., tmux_version: _Optional[str] = ..., split: _Optional[str] = ..., max_episodes: _Optional[int] = ..., lease_ms: _Optional[int] = ..., max_message_bytes: _Optional[int] = ..., idle_ms: _Optional[int] = ..., server: _Optional[str] = ...) -> None: ...

class TaskRef(_message.Message):
    __slots__ = ("id", "sample")
    ID_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_FIELD_NUMBER: _ClassVar[int]
    id: str
    sample: int
    def __init__(self, id: _Optional[str] = ..., sample: _Optional[int] = ...) -> None: ...

class ListRequest(_message.Message):
    __slots__ = ("client", "suite", "seed", "size", "ranges", "count")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    SUITE_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    RANGES_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    client: str
    suite: str
    seed: int
    size: int
    ranges: TaskRanges
    count: int
    def __init__(self, client: _Optional[str] = ..., suite: _Optional[str] = ..., seed: _Optional[int] = ..., size: _Optional[int] = ..., ranges: _Optional[_Union[TaskRanges, _Mapping]] = ..., count: _Optional[int] = ..., **kwargs) -> None: ...

class TaskRanges(_message.Message):
    __slots__ = ("depths", "ops", "seeds", "kinds", "levels", "counts", "arms", "delegations", "paraphrases", "profile")
    DEPTHS_FIELD_NUMBER: _ClassVar[int]
    OPS_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    ARMS_FIELD_NUMBER: _ClassVar[int]
    DELEGATIONS_FIELD_NUMBER: _ClassVar[int]
    PARAPHRASES_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
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
    def __init__(self, depths: _Optional[str] = ..., ops: _Optional[str] = ..., seeds: _Optional[str] = ..., kinds: _Optional[str] = ..., levels: _Optional[str] = ..., counts: _Optional[str] = ..., arms: _Optional[str] = ..., delegations: _Optional[str] = ..., paraphrases: _Optional[str] = ..., profile: _Optional[str] = ...) -> None: ...

class ListReply(_message.Message):
    __slots__ = ("tasks", "size")
    TASKS_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[ListedTask]
    size: int
    def __init__(self, tasks: _Optional[_Iterable[_Union[ListedTask, _Mapping]]] = ..., size: _Optional[int] = ...) -> None: ...

class ListedTask(_message.Message):
    __slots__ = ("json", "task_hash")
    JSON_FIELD_NUMBER: _ClassVar[int]
    TASK_HASH_FIELD_NUMBER: _ClassVar[int]
    json: str
    task_hash: str
    def __init__(self, json: _Optional[str] = ..., task_hash: _Optional[str] = ...) -> None: ...

class PrefetchRequest(_message.Message):
    __slots__ = ("client", "tasks")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    client: str
    tasks: _containers.RepeatedCompositeFieldContainer[TaskRef]
    def __init__(self, client: _Optional[str] = ..., tasks: _Optional[_Iterable[_Union[TaskRef, _Mapping]]] = ...) -> None: ...

class PrefetchReply(_message.Message):
    __slots__ = ("accepted",)
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    accepted: int
    def __init__(self, accepted: _Optional[int] = ...) -> None: ...

class CreateRequest(_message.Message):
    __slots__ = ("client", "task", "size", "request", "delivery", "clock", "no_shaping")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    NO_SHAPING_FIELD_NUMBER: _ClassVar[int]
    client: str
    task: TaskRef
    size: int
    request: str
    delivery: str
    clock: str
    no_shaping: bool
    def __init__(self, client: _Optional[str] = ..., task: _Optional[_Union[TaskRef, _Mapping]] = ..., size: _Optional[int] = ..., request: _Optional[str] = ..., delivery: _Optional[str] = ..., clock: _Optional[str] = ..., no_shaping: bool = ...) -> None: ...

class CreateReply(_message.Message):
    __slots__ = ("episodes",)
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    episodes: _containers.RepeatedCompositeFieldContainer[Episode]
    def __init__(self, episodes: _Optional[_Iterable[_Union[Episode, _Mapping]]] = ...) -> None: ...

class Episode(_message.Message):
    __slots__ = ("id", "task", "task_hash", "prompt", "observation", "max_steps")
    ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    TASK_HASH_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    MAX_STEPS_FIELD_NUMBER: _ClassVar[int]
    id: str
    task: str
    task_hash: str
    prompt: str
    observation: Observation
    max_steps: int
    def __init__(self, id: _Optional[str] = ..., task: _Optional[str] = ..., task_hash: _Optional[str] = ..., prompt: _Optional[str] = ..., observation: _Optional[_Union[Observation, _Mapping]] = ..., max_steps: _Optional[int] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("command", "script", "keys", "wait_ticks", "done")
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    WAIT_TICKS_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    command: str
    script: str
    keys: Keys
    wait_ticks: int
    done: bool
    def __init__(self, command: _Optional[str] = ..., script: _Optional[str] = ..., keys: _Optional[_Union[Keys, _Mapping]] = ..., wait_ticks: _Optional[int] = ..., done: bool = ...) -> None: ...

class Keys(_message.Message):
    __slots__ = ("target", "keys")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    target: str
    keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, target: _Optional[str] = ..., keys: _Optional[_Iterable[str]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("text", "exit_code", "cut_bytes")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    EXIT_CODE_FIELD_NUMBER: _ClassVar[int]
    CUT_BYTES_FIELD_NUMBER: _ClassVar[int]
    text: str
    exit_code: int
    cut_bytes: int
    def __init__(self, text: _Optional[str] = ..., exit_code: _Optional[int] = ..., cut_bytes: _Optional[int] = ...) -> None: ...

class ActRequest(_message.Message):
    __slots__ = ("client", "episode", "sequence", "action")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    EPISODE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    client: str
    episode: str
    sequence: int
    action: Action
    def __init__(self, client: _Optional[str] = ..., episode: _Optional[str] = ..., sequence: _Optional[int] = ..., action: _Optional[_Union[Action, _Mapping]] = ...) -> None: ...

class ActReply(_message.Message):
    __slots__ = ("observation", "terminated", "truncated", "tick", "steps", "action_cut", "wall_ticks", "reproducible", "reward", "grade", "pushed")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    TERMINATED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    ACTION_CUT_FIELD_NUMBER: _ClassVar[int]
    WALL_TICKS_FIELD_NUMBER: _ClassVar[int]
    REPRODUCIBLE_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    GRADE_FIELD_NUMBER: _ClassVar[int]
    PUSHED_FIELD_NUMBER: _ClassVar[int]
    observation: Observation
    terminated: bool
    truncated: str
    tick: int
    steps: int
    action_cut: bool
    wall_ticks: int
    reproducible: bool
    reward: float
    grade: EpisodeGrade
    pushed: _containers.RepeatedCompositeFieldContainer[EventNotice]
    def __init__(self, observation: _Optional[_Union[Observation, _Mapping]] = ..., terminated: bool = ..., truncated: _Optional[str] = ..., tick: _Optional[int] = ..., steps: _Optional[int] = ..., action_cut: bool = ..., wall_ticks: _Optional[int] = ..., reproducible: bool = ..., reward: _Optional[float] = ..., grade: _Optional[_Union[EpisodeGrade, _Mapping]] = ..., pushed: _Optional[_Iterable[_Union[EventNotice, _Mapping]]] = ...) -> None: ...

class EventNotice(_message.Message):
    __slots__ = ("event", "kind", "worker", "pane", "tick")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    PANE_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    event: str
    kind: str
    worker: str
    pane: str
    tick: int
    def __init__(self, event: _Optional[str] = ..., kind: _Optional[str] = ..., worker: _Optional[str] = ..., pane: _Optional[str] = ..., tick: _Optional[int] = ...) -> None: ...

class GradeRequest(_message.Message):
    __slots__ = ("client", "episode", "truncated")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    EPISODE_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    client: str
    episode: str
    truncated: str
    def __init__(self, client: _Optional[str] = ..., episode: _Optional[str] = ..., truncated: _Optional[str] = ...) -> None: ...

class GradeReply(_message.Message):
    __slots__ = ("grade",)
    GRADE_FIELD_NUMBER: _ClassVar[int]
    grade: EpisodeGrade
    def __init__(self, grade: _Optional[_Union[EpisodeGrade, _Mapping]] = ...) -> None: ...

class EpisodeGrade(_message.Message):
    __slots__ = ("outcome", "reward", "passed", "flags", "boundary", "failure", "checks", "events")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    outcome: str
    reward: float
    passed: bool
    flags: _containers.RepeatedScalarFieldContainer[str]
    boundary: str
    failure: str
    checks: _containers.RepeatedCompositeFieldContainer[CheckResult]
    events: _containers.RepeatedCompositeFieldContainer[EventResult]
    def __init__(self, outcome: _Optional[str] = ..., reward: _Optional[float] = ..., passed: bool = ..., flags: _Optional[_Iterable[str]] = ..., boundary: _Optional[str] = ..., failure: _Optional[str] = ..., checks: _Optional[_Iterable[_Union[CheckResult, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[EventResult, _Mapping]]] = ...) -> None: ...

class EventResult(_message.Message):
    __slots__ = ("id", "kind", "fired_tick", "visible_tick", "perceived_tick", "perceived_by", "armed", "polls", "reacted_tick", "deadline_tick", "outcome")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    FIRED_TICK_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_TICK_FIELD_NUMBER: _ClassVar[int]
    PERCEIVED_TICK_FIELD_NUMBER: _ClassVar[int]
    PERCEIVED_BY_FIELD_NUMBER: _ClassVar[int]
    ARMED_FIELD_NUMBER: _ClassVar[int]
    POLLS_FIELD_NUMBER: _ClassVar[int]
    REACTED_TICK_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TICK_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: str
    fired_tick: int
    visible_tick: int
    perceived_tick: int
    perceived_by: str
    armed: bool
    polls: int
    reacted_tick: int
    deadline_tick: int
    outcome: str
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[str] = ..., fired_tick: _Optional[int] = ..., visible_tick: _Optional[int] = ..., perceived_tick: _Optional[int] = ..., perceived_by: _Optional[str] = ..., armed: bool = ..., polls: _Optional[int] = ..., reacted_tick: _Optional[int] = ..., deadline_tick: _Optional[int] = ..., outcome: _Optional[str] = ...) -> None: ...

class CheckResult(_message.Message):
    __slots__ = ("id", "role", "event", "value", "note", "ok", "score", "weight")
    ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    OK_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_FIELD_NUMBER: _ClassVar[int]
    id: str
    role: str
    event: str
    value: str
    note: str
    ok: bool
    score: float
    weight: float
    def __init__(self, id: _Optional[str] = ..., role: _Optional[str] = ..., event: _Optional[str] = ..., value: _Optional[str] = ..., note: _Optional[str] = ..., ok: bool = ..., score: _Optional[float] = ..., weight: _Optional[float] = ...) -> None: ...

class ReleaseRequest(_message.Message):
    __slots__ = ("client", "episode")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    EPISODE_FIELD_NUMBER: _ClassVar[int]
    client: str
    episode: str
    def __init__(self, client: _Optional[str] = ..., episode: _Optional[str] = ...) -> None: ...

class ReleaseReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ScoreScriptsRequest(_message.Message):
    __slots__ = ("client", "jobs", "request")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    JOBS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    client: str
    jobs: _containers.RepeatedCompositeFieldContainer[ScriptJob]
    request: str
    def __init__(self, client: _Optional[str] = ..., jobs: _Optional[_Iterable[_Union[ScriptJob, _Mapping]]] = ..., request: _Optional[str] = ...) -> None: ...

class ScriptJob(_message.Message):
    __slots__ = ("task", "script")
    TASK_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    script: str
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., script: _Optional[str] = ...) -> None: ...

class ScoreScriptsReply(_message.Message):
    __slots__ = ("grades",)
    GRADES_FIELD_NUMBER: _ClassVar[int]
    grades: _containers.RepeatedCompositeFieldContainer[EpisodeGrade]
    def __init__(self, grades: _Optional[_Iterable[_Union[EpisodeGrade, _Mapping]]] = ...) -> None: ...

class CancelRequest(_message.Message):
    __slots__ = ("client", "request")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    client: str
    request: str
    def __init__(self, client: _Optional[str] = ..., request: _Optional[str] = ...) -> None: ...

class CancelReply(_message.Message):
    __slots__ = ("found",)
    FOUND_FIELD_NUMBER: _ClassVar[int]
    found: bool
    def __init__(self, found: bool = ...) -> None: ...

class EventsRequest(_message.Message):
    __slots__ = ("client", "episode")
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    EPISODE_FIELD_NUMBER: _ClassVar[int]
    client: str
    episode: str
    def __init__(self, client: _Optional[str] = ..., episode: _Optional[str] = ...) -> None: ...

class HealthRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class HealthReply(_message.Message):
    __slots__ = ("status", "live_episodes")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    LIVE_EPISODES_FIELD_NUMBER: _ClassVar[int]
    status: str
    live_episodes: int
    def __init__(self, status: _Optional[str] = ..., live_episodes: _Optional[int] = ...) -> None: ...

class HeartbeatRequest(_message.Message):
    __slots__ = ("client",)
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    client: str
    def __init__(self, client: _Optional[str] = ...) -> None: ...

class HeartbeatReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Error(_message.Message):
    __slots__ = ("code", "message", "retry_after_ms", "boundary", "hint")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    retry_after_ms: int
    boundary: str
    hint: str
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., retry_after_ms: _Optional[int] = ..., boundary: _Optional[str] = ..., hint: _Optional[str] = ...) -> None: ...
