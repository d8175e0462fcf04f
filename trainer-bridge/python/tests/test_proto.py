import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def test_generated_code_is_what_the_schema_gives() -> None:
    tool = PACKAGE / "tools" / "generate_proto.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
