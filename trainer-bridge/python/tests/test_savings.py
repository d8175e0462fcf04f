"""What is left out of a training step changes no result."""

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM
from trl.kernels import chunked_logprob
from trl.trainer.utils import add_fused_lm_head

from muxgym.train.savings import labelled_positions_only
from tiny_model import write_tiny_model

IGNORED = -100


def step(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[torch.Tensor, torch.Tensor, int]:
    """The log-probabilities, the gradient of an inner layer, and how many positions were projected."""
    projected = []
    forward = chunked_logprob.ChunkedLogProbFunction.forward

    def count(context: object, hidden: torch.Tensor, *rest: Any) -> object:
        projected.append(len(hidden))
        return forward(context, hidden, *rest)

    monkeypatch.setattr(chunked_logprob.ChunkedLogProbFunction, "forward", staticmethod(count))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    add_fused_lm_head(model, outputs=("log_probs", "entropy"))
    tokens = torch.arange(2, 26).reshape(2, 12)
    labels = tokens.clone()
    labels[:, :8] = IGNORED
    outputs = model(input_ids=tokens, labels=labels, fused_lm_head=True)
    outputs.log_probs.sum().backward()
    monkeypatch.undo()
    return outputs.log_probs.detach(), model.model.layers[0].mlp.up_proj.weight.grad, projected[0]


def test_labelled_positions_only_gives_the_same_loss_and_gradient(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tiny_model(tmp_path)
    log_probs, gradient, projected = step(tmp_path, monkeypatch)
    with labelled_positions_only():
        few_log_probs, few_gradient, few_projected = step(tmp_path, monkeypatch)
    assert (projected, few_projected) == (22, 8)
    torch.testing.assert_close(few_log_probs, log_probs)
    torch.testing.assert_close(few_gradient, gradient)
    assert step(tmp_path, monkeypatch)[2] == 22
