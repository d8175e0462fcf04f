"""Writes `src/muxgym/_proto` from `../proto`. Run from anywhere; needs the `dev` extra.

With `--check`, writes nothing and exits with 1 where the committed code is not what the schema gives.
"""

import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

PACKAGE = Path(__file__).parents[1]
SCHEMA = PACKAGE.parent / "proto"
TARGET = PACKAGE / "src" / "muxgym" / "_proto"
NAMES = ("gym_pb2.py", "gym_pb2.pyi")


def main() -> int:
    generated = generate()
    if "--check" in sys.argv[1:]:
        stale = [name for name, text in generated.items() if (TARGET / name).read_text() != text]
        if stale:
            sys.stderr.write(
                f"error[E_STALE]: generated code differs from the schema, in {TARGET}: {', '.join(stale)}\n"
            )
        return 1 if stale else 0
    for name, text in generated.items():
        (TARGET / name).write_text(text)
    return 0


def generate() -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        arguments = [f"-I{SCHEMA}", f"--python_out={folder}", f"--pyi_out={folder}", "muxgym/v1/gym.proto"]
        status = protoc.main(["protoc", *arguments])
        if status != 0:
            raise SystemExit(status)
        return {name: (Path(folder) / "muxgym" / "v1" / name).read_text() for name in NAMES}


if __name__ == "__main__":
    sys.exit(main())
