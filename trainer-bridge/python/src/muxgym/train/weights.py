"""How far training moved the weights."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True, slots=True)
class WeightChange:
    """Over all trained parameters, against the start: L2 norm of the difference, and its largest absolute entry."""

    l2: float
    max_abs: float


class WeightWatch:
    """Keeps a copy of the parameters as they are now."""

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self._start = {name: weight.detach().clone() for name, weight in model.named_parameters()}

    @torch.no_grad()
    def change(self) -> WeightChange:
        squares, largest = 0.0, 0.0
        for name, weight in self._model.named_parameters():
            # The trainer may have moved the model to another device since.
            difference = (weight.detach() - self._start[name].to(weight.device)).double()
            squares += float(difference.square().sum())
            largest = max(largest, float(difference.abs().max()))
        return WeightChange(l2=squares**0.5, max_abs=largest)
