"""Training on episodes: SFT and GRPO by TRL, on a served gym."""

import os
from pathlib import Path

# Importing TRL makes torch's folder of compiled kernels, which lies in /tmp for ever unless it is told otherwise.
_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(_cache / "torchinductor"))
