"""One real server for all tests: it must start, or the tests fail."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

import muxgym.train  # noqa: F401 - first of all: it says where torch keeps its cache

CHECKOUT = Path(__file__).parents[3]


@pytest.fixture(autouse=True, scope="session")
def one_torch_thread() -> None:
    """A tiny model gains nothing from threads, and loses much on a busy machine."""
    torch.set_num_threads(1)


@dataclass(frozen=True)
class Server:
    zeromq: str
    grpc: str
    rung: str

    def address(self, wire: str) -> str:
        return self.zeromq if wire == "zeromq" else f"grpc://{self.grpc}"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Serves the split `train` (D0 to D2) on free ports, over both wires."""
    flags = ["--bind", "tcp://127.0.0.1:0", "--grpc", "127.0.0.1:0", "--split", "cliff:train", "--json"]
    process = subprocess.Popen([*muxgym_command(), "serve", *flags], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, f"the server ended before it was ready, with status {process.wait()}"
        ready: dict[str, Any] = json.loads(line)
        yield Server(ready["zeromq"], ready["grpc"], ready["rung"])
    finally:
        process.send_signal(signal.SIGTERM)
        status = process.wait(timeout=60)
    assert status == 0


@pytest.fixture(params=["zeromq", "grpc"])
def address(request: pytest.FixtureRequest, server: Server) -> str:
    """The server's address on each wire in turn."""
    return server.address(request.param)


@pytest.fixture(scope="session")
def tasks_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tasks of D0 and D1 with one and two tokens, as `muxgym generate` writes them."""
    out = tmp_path_factory.mktemp("tasks") / "tasks.jsonl"
    flags = ["--suite", "cliff", "--depths", "D0-D1", "--ops", "1,2", "--seeds", "0-1", "--out", str(out)]
    subprocess.run([*muxgym_command(), "generate", *flags], cwd=CHECKOUT, check=True, stdout=subprocess.DEVNULL)
    return out


def muxgym_command() -> list[str]:
    """The built program, or its sources where it is not built. MUXGYM_SOURCES=1 asks for the sources."""
    built = CHECKOUT / "dist" / "scripts" / "muxgym.js"
    node = shutil.which("node")
    assert node is not None, "node is not on the PATH"
    if built.exists() and os.environ.get("MUXGYM_SOURCES") is None:
        return [node, str(built)]
    return [node, str(CHECKOUT / "node_modules" / "tsx" / "dist" / "cli.mjs"), str(CHECKOUT / "scripts" / "muxgym.ts")]
