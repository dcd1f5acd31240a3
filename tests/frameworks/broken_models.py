"""Models with one mistake each, of the kinds that people ask about; the guilty line ends in `# guilty`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

FILE = Path(__file__).name
ALL = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")
FIRST = ALL[:2]


@dataclass(frozen=True)
class Broken:
    """A model, its arguments, the parameters that suffer, and what is to be said of the first of them."""

    kind: type[nn.Module]
    arguments: tuple[Tensor, ...]
    parameters: frozenset[str]
    status: str
    words: str

    @property
    def name(self) -> str:
        return self.kind.__name__

    @property
    def where(self) -> str:
        """The line of source, "" for a model without a guilty one."""
        lines, first = inspect.getsourcelines(self.kind)
        places = [first + place for place, line in enumerate(lines) if line.rstrip().endswith("# guilty")]
        return f"{FILE}:{places[0]}" if places else ""


CASES: list[Broken] = []
_generator = torch.Generator().manual_seed(0)
X, Y = torch.randn(6, 4, generator=_generator), torch.randn(6, 2, generator=_generator)
LABELS = torch.tensor([0, 1, 1, 0, 1, 0])


def broken(
    parameters: tuple[str, ...], status: str, words: str, *arguments: Tensor
) -> Callable[[type[nn.Module]], type[nn.Module]]:
    def add(kind: type[nn.Module]) -> type[nn.Module]:
        CASES.append(Broken(kind, arguments or (X, Y), frozenset(parameters), status, words))
        return kind

    return add


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.fc1, self.fc2 = nn.Linear(4, 5), nn.Linear(5, 2)
        self.prepare()

    def prepare(self) -> None:
        """Makes the mistake, where it lies in the parameters."""

    def hidden(self, x: Tensor) -> Tensor:
        return torch.tanh(self.fc1(x))

    def out(self, x: Tensor) -> Tensor:
        return self.fc2(self.hidden(x))


# Cut from the loss


@broken(FIRST, "blocked", "detach")
class DetachedInTheMiddle(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.hidden(x).detach()  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(FIRST, "blocked", "detach")
class DetachedInAHelper(Net):
    def hidden(self, x: Tensor) -> Tensor:
        return torch.tanh(self.fc1(x)).detach()  # guilty

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss(self.out(x), y)


@broken(FIRST, "blocked", "cuts every path")
class DataOfATensor(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.hidden(x).data  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(FIRST, "blocked", "without gradients")
class EncoderWithoutGradients(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        with torch.no_grad():
            hidden = torch.tanh(self.fc1(x))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(ALL, "blocked", "without gradients")
class AllWithoutGradients(Net):
    @torch.no_grad()
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss(self.out(x), y)  # guilty


@broken(FIRST, "blocked", "cuts every path")
class TensorOfATensor(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = torch.tensor(self.hidden(x))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(ALL, "blocked", "item")
class TensorOfNumbers(Net):
    def forward(self, x: Tensor, _: Tensor) -> Tensor:
        out = self.out(x)
        return torch.tensor([out[row, 0].item() for row in range(6)]).square().mean()  # guilty


@broken(FIRST, "blocked", "detach")
class ThroughNumPy(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = torch.from_numpy(self.hidden(x).detach().numpy())  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(FIRST, "blocked", "detach")
class GradientsAskedForAgain(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.hidden(x).detach().requires_grad_(True)  # guilty
        loss = functional.mse_loss(self.fc2(hidden), y)
        return loss * 2 if loss.item() > 0 else loss


@broken((*FIRST, "fc2.weight"), "blocked", "overwrites")
class OverwrittenInPlace(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.fc1(x)
        hidden.zero_()  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(("fc2.weight", "fc2.bias"), "unused", "nothing uses the result of cross_entropy")
class OneLossOnly(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.hidden(x)
        functional.cross_entropy(self.fc2(hidden), LABELS)  # guilty
        return functional.mse_loss(hidden[:, :2], y)


@broken(("more.weight", "more.bias"), "unused", "does not depend on it")
class UnusedLayer(Net):
    def prepare(self) -> None:
        self.more = nn.Linear(5, 5)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss(self.out(x), y)


@broken(("layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias"), "unregistered", "not registered")
class LayersInAList(Net):
    def prepare(self) -> None:
        self.layers = [nn.Linear(5, 5), nn.Linear(5, 5)]

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.hidden(x)
        for layer in self.layers:
            hidden = torch.tanh(layer(hidden))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(("scale",), "unregistered", "nn.Parameter")
class TensorAsParameter(Net):
    def prepare(self) -> None:
        self.scale = torch.ones(5, requires_grad=True)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss(self.fc2(self.hidden(x) * self.scale), y)  # guilty


# Without a derivative


@broken(ALL, "non_differentiable", "argmax")
class ArgMaxOnThePath(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return (self.out(x).argmax(1).float() - y[:, 0]).square().mean()  # guilty


@broken(ALL, "non_differentiable", "round")
class RoundedOnThePath(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        rounded = torch.round(torch.sigmoid(self.out(x)))  # guilty
        return functional.mse_loss(rounded, y)


@broken(ALL, "non_differentiable", "cast to int64")
class CastOnThePath(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        whole = self.out(x).long()  # guilty
        return functional.mse_loss(whole.float(), y)


@broken(ALL, "non_differentiable", "no derivative")
class ThresholdOnThePath(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        found = (torch.sigmoid(self.out(x)) > 0.5).float()  # guilty
        return functional.binary_cross_entropy(found, (y > 0).float())


@broken(ALL, "zero", "slope 0 everywhere")
class SignOnThePath(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss(torch.sign(self.out(x)), y)  # guilty


class _Nothing(torch.autograd.Function):
    @staticmethod
    def forward(_: Any, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    def backward(_: Any, g: Tensor) -> Tensor:
        return torch.zeros_like(g)


@broken(FIRST, "zero", "_Nothing.apply at")
class OwnRuleOfZeros(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = _Nothing.apply(self.hidden(x))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


# Zero


@broken((*FIRST, "fc2.weight"), "zero", "negative")
class DeadByBias(Net):
    def prepare(self) -> None:
        nn.init.constant_(self.fc1.bias, -100)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = torch.relu(self.fc1(x))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(FIRST, "vanishing", "saturated")
class SaturatedSigmoid(Net):
    def prepare(self) -> None:
        self.fc1.weight.data *= 1000
        self.fc1.bias.data += 500

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = torch.sigmoid(self.fc1(x * 5))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(FIRST, "zero", "saturated")
class SaturatedTanh(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = torch.tanh(self.fc1(x * 10_000))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken((*FIRST, "fc2.weight"), "zero", "multiplies it by fc2.weight, which is 0 everywhere")
class ZeroStart(Net):
    def prepare(self) -> None:
        for parameter in self.parameters():
            nn.init.zeros_(parameter)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss(self.out(x), y)


@broken(("fc1.weight", "fc1.bias"), "zero", "only one input")
class SoftmaxOfOne(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(4, 1)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss(torch.softmax(self.fc1(x), 1), y[:, :1])  # guilty


@broken(("fc1.weight", "fc1.bias"), "zero", "single class", X, torch.zeros(6, dtype=torch.long))
class OneClass(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(4, 1)

    def forward(self, x: Tensor, labels: Tensor) -> Tensor:
        return functional.cross_entropy(self.fc1(x), labels)  # guilty


@broken(ALL, "zero", "outside of its bounds")
class ClampedOutside(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return functional.mse_loss((self.out(x) + 10).clamp(0, 1), y)  # guilty


@broken(ALL, "zero", "mask, which is 0 everywhere", X, Y, torch.zeros(6, 2))
class MaskOfZeros(Net):
    def forward(self, x: Tensor, y: Tensor, mask: Tensor) -> Tensor:
        errors = functional.mse_loss(self.out(x), y, reduction="none")
        return (errors * mask).sum()  # guilty


@broken(ALL, "zero", "cancel")
class SumOfASoftmax(Net):
    def forward(self, x: Tensor, _: Tensor) -> Tensor:
        return torch.softmax(self.out(x), 1).sum()  # guilty


@broken(ALL, "zero", "too small for its dtype")
class UnderflowOfTheLoss(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        small = functional.mse_loss(self.out(x), y) * 1e-30  # guilty
        return small * 1e-20


@broken(("table.weight", "fc2.weight"), "zero", "padding_idx", torch.zeros(6, 3, dtype=torch.long), Y)
class PaddingOnly(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.fc2 = nn.Embedding(5, 4, padding_idx=0), nn.Linear(4, 2)

    def forward(self, words: Tensor, y: Tensor) -> Tensor:
        rows = self.table(words)  # guilty
        return functional.mse_loss(self.fc2(rows.mean(1)), y)


@broken(("fc1.weight", "fc1.bias", "norm.weight", "fc2.weight"), "zero", "single number")
class NormalisedAlone(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.norm, self.fc2 = nn.Linear(4, 1), nn.LayerNorm(1), nn.Linear(1, 2)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        alone = self.norm(self.fc1(x))  # guilty
        return functional.mse_loss(self.fc2(alone), y)


# NaN and infinity


class Weight(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.0, 0.0, 2.0, 3.0]))


@broken(("w",), "nonfinite", "log'(0) = inf", X)
class GuardedTooLate(Weight):
    def forward(self, x: Tensor) -> Tensor:
        scaled = self.w * x.abs().sum(0)
        return torch.where(scaled > 0, torch.log(scaled), torch.zeros_like(scaled)).sum()  # guilty


@broken(("w",), "nonfinite", "sqrt'(0) = inf", X)
class RootOfZero(Weight):
    def forward(self, x: Tensor) -> Tensor:
        return torch.sqrt((self.w * x).square()).sum()  # guilty


@broken(ALL, "nonfinite", "exp(")
class ExpOverflow(Net):
    def forward(self, x: Tensor, _: Tensor) -> Tensor:
        big = torch.exp(self.out(x) * 1000)  # guilty
        return functional.nll_loss(torch.log(big / big.sum(1, keepdim=True)), LABELS)


@broken((), "nonfinite", "log(0) = -inf")
class LogOfZero(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        found = torch.relu(self.out(x))
        return -(torch.log(found) * (y > 0)).mean()  # guilty


@broken((), "nonfinite", "no elements")
class MeanOfNothing(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        out = self.out(x)
        return functional.mse_loss(out, y) + out[:0].mean()  # guilty


@broken(ALL, "nonfinite", "No label counts", X, torch.full((6,), -100))
class NoLabelCounts(Net):
    def forward(self, x: Tensor, labels: Tensor) -> Tensor:
        return functional.cross_entropy(self.out(x), labels)  # guilty


@broken(ALL, "nonfinite", "has no spread", X[:1], Y[:1])
class SpreadOfOne(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.fc1(x)
        hidden = (hidden - hidden.mean(0)) / (hidden.std(0) + 1e-5)  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(("value.weight", "value.bias"), "nonfinite", "all its inputs are -inf", X, torch.eye(6)[2].bool()[:, None])
class RowMaskedAltogether(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.query, self.key, self.value = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        scores = (self.query(x) @ self.key(x).T).masked_fill(mask, -torch.inf)
        return (torch.softmax(scores, -1) @ self.value(x)).square().mean()  # guilty


# Of the wrong size


@broken(("w", "v"), "exploding", "60 steps", X)
class ExplodingRecurrence(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w, self.v = nn.Parameter(torch.tensor(1.5)), nn.Parameter(torch.tensor(0.5))

    def forward(self, x: Tensor) -> Tensor:
        h = torch.zeros(())
        for step in range(60):
            h = self.w * h + self.v * x[step % 6, 0]  # guilty
        return h


@broken(tuple(f"layers.{place}.{kind}" for place in range(10) for kind in ("weight", "bias")), "vanishing", "20 steps")
class VanishingChain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layers, self.last = nn.ModuleList([nn.Linear(4, 4) for _ in range(20)]), nn.Linear(4, 2)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        for layer in self.layers:
            x = torch.sigmoid(layer(x))  # guilty
        return functional.mse_loss(self.last(x), y)


# What does not run


@broken(("model",), "failed", "more than 1 value per channel", X[:1], Y[:1])
class BatchOfOne(Net):
    def prepare(self) -> None:
        self.norm = nn.BatchNorm1d(5)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.norm(self.fc1(x))  # guilty
        return functional.mse_loss(self.fc2(hidden), y)


@broken(("model",), "failed", "out of bounds", X, LABELS + 1)
class LabelsOutOfBounds(Net):
    def forward(self, x: Tensor, labels: Tensor) -> Tensor:
        return functional.cross_entropy(self.out(x), labels)  # guilty


@broken(("model",), "failed", "writes into a tensor")
class ChangedInPlace(Net):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = torch.sigmoid(self.fc1(x))
        squared = hidden * hidden
        hidden += 1  # guilty
        return functional.mse_loss(self.fc2(squared), y)
