"""muxgym for Python: episodes on real tmux servers, served by `muxgym serve`."""

# The clients
from muxgym.answer import format_answer, parse_answer, script_messages
from muxgym.async_client import AsyncClient, AsyncEpisode
from muxgym.calls import ScriptJob, TaskQuery
from muxgym.client import Client
from muxgym.episode import Episode

# What they raise
from muxgym.errors import (
    BusyError,
    LeaseExpired,
    MuxgymError,
    ProtocolError,
    ServerUnreachable,
    SplitError,
    TaskError,
    Timeout,
)
from muxgym.tasks import AsyncTaskList, TaskList
from muxgym.transport import CurveKeys

# What they return
from muxgym.values import Check, Description, Event, EventNotice, Grade, Health, Observation, Step, StepInfo, Task

__all__ = [
    "AsyncClient",
    "AsyncEpisode",
    "AsyncTaskList",
    "BusyError",
    "Check",
    "Client",
    "CurveKeys",
    "Description",
    "Episode",
    "Event",
    "EventNotice",
    "Grade",
    "Health",
    "LeaseExpired",
    "MuxgymError",
    "Observation",
    "ProtocolError",
    "ScriptJob",
    "ServerUnreachable",
    "SplitError",
    "Step",
    "StepInfo",
    "Task",
    "TaskError",
    "TaskList",
    "TaskQuery",
    "Timeout",
    "format_answer",
    "parse_answer",
    "script_messages",
]
