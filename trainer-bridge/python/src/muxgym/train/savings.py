"""Work of a training step that changes no result and is left out on a CPU."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import trl.trainer.utils as trl_utils
from transformers import set_seed

#: TRL's question whether to score the labelled positions only; the kernels themselves ask under another name.
_QUESTION = "_use_triton"


def seed_run(seed: int, *, deterministic: bool) -> None:
    """Seeds every generator. Memory that an operation does not read yet is not filled: no result depends on it."""
    set_seed(seed, deterministic=deterministic)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined] # set by its module


@contextmanager
def labelled_positions_only() -> Iterator[None]:
    """The loss from the positions that carry a label: the answers, about a third of a row.

    Without Triton, TRL projects every position on the vocabulary, prompts and padding included, and multiplies what it
    needs not by zero; that is a third of a step for a small model. A version of TRL without this switch is left alone.
    """
    ask: Any = getattr(trl_utils, _QUESTION, None)
    if ask is None:
        yield
        return
    setattr(trl_utils, _QUESTION, lambda _device: True)
    try:
        yield
    finally:
        setattr(trl_utils, _QUESTION, ask)
