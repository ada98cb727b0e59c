"""Writes exported programs, each with something that few networks have. Needs torch 2.15.

python tests/vectors/exported/programs.py
"""

from pathlib import Path

import torch
from torch import nn
from torch.export import Dim
from torch.export.pt2_archive._package import package_pt2
from torch.nn import functional
from torch.testing._internal.two_tensor import TwoTensor

HERE = Path(__file__).parent


class Open(nn.Module):
    """Extents that are left open; a buffer that is no part of the state, and a constant."""

    def __init__(self):
        super().__init__()
        self.c = nn.Conv1d(3, 4, 3, padding=1)
        self.r = nn.ReLU()
        self.register_buffer("np", torch.arange(4.0).view(4, 1), persistent=False)
        self.k = torch.tensor([2.0])

    def forward(self, x, flag=None):
        y = self.r(self.r(self.c(x)) + self.np) * self.k
        half = functional.pad(y[:, :, : x.shape[2] // 2], (0, 3))
        return {"a": y.reshape(x.shape[0], -1, 2).mean(-1) * x.shape[2], "b": [half, None, x.shape[2] * 2]}


class NoGrad(nn.Module):
    """Operations in a graph of their own."""

    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            y = self.l(x) * 2
            z = y + 1
        with torch.autocast("cpu", enabled=False):
            return self.l(y) + z


class Tied(nn.Module):
    """Tensors that share a storage, are strided, a part, or expanded."""

    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(10, 4)
        self.o = nn.Linear(4, 10, bias=False)
        self.o.weight = self.e.weight
        self.p = nn.Parameter(torch.randn(6, 4).t())
        self.register_buffer("big", torch.arange(12.0))
        self.register_buffer("part", self.big[3:7])
        self.register_buffer("wide", torch.ones(1, 4).expand(3, 4))

    def forward(self, t):
        return self.o(self.e(t)).sum() * self.p.sum() + self.part + self.big[:4] + self.wide


class Nested(nn.Module):
    """Inputs in dicts and lists, by keyword, and plain values."""

    def forward(self, a, b, *, input=None, scale=2.0, mode="x"):
        return {"s": a["k"] + b[0] * scale, "t": (b[1], input)}


class Kinds(nn.Module):
    """Tensors of many dtypes."""

    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3).to(torch.bfloat16)
        self.register_buffer("narrow_float", torch.ones(3, dtype=torch.float16))
        self.register_buffer("f8", torch.ones(3).to(torch.float8_e4m3fn))
        self.register_buffer("u16", torch.ones(3, dtype=torch.uint16))
        self.register_buffer("flags", torch.tensor([True, False, True]))

    def forward(self, x):
        return self.l(x.to(torch.bfloat16)) + self.narrow_float.to(torch.bfloat16)


class Calls(nn.Module):
    """A module that is called three times, with a name that is no name in Python."""

    def __init__(self):
        super().__init__()
        self.d = nn.ModuleDict({"a": nn.Linear(4, 4), "b-c": nn.ReLU()})

    def forward(self, x):
        for _ in range(3):
            x = self.d["b-c"](self.d["a"](x))
        return x


class Counts(nn.Module):
    """Buffers that are changed: one that is read, and one that is not."""

    def __init__(self, is_read):
        super().__init__()
        self.is_read = is_read
        self.register_buffer("n", torch.zeros(1))

    def forward(self, x):
        self.n.add_(1)
        return x * 2 + self.n if self.is_read else x * 2


class Parts(nn.Module):
    """A part is changed in place, and then the whole is read."""

    def forward(self, x):
        y = x * 2
        y[:, 0] = 5
        return y


class Depends(nn.Module):
    """A shape that depends on what is computed."""

    def forward(self, x):
        return x[x > 0] * 2


class Waves(nn.Module):
    """Complex numbers."""

    def __init__(self):
        super().__init__()
        self.register_buffer("f", torch.ones(3, dtype=torch.complex64))

    def forward(self, x):
        return torch.view_as_real(torch.view_as_complex(x) * self.f)


class Branches(nn.Module):
    """Control flow."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 3, lambda x: x * 2, (x,))


class Subclass(nn.Module):
    """A weight of a class of its own."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(TwoTensor(torch.ones(2, 2), torch.zeros(2, 2)))

    def forward(self, x):
        return x @ self.w


def save(name, network, args, kwargs=None, decomposed=False, **settings):
    torch.manual_seed(1)
    exported = torch.export.export(network().eval(), args, kwargs, **settings)
    torch.export.save(exported.run_decompositions() if decomposed else exported, HERE / f"{name}.pt2")


def main():
    one = torch.ones(1, 4)
    batch, time = Dim("batch", max=64), Dim("time", min=2, max=1000)
    save("open", Open, (torch.ones(2, 3, 8), None), dynamic_shapes=({0: batch, 2: 2 * time}, None))
    auto = {"x": {0: Dim.AUTO, 2: Dim.AUTO}, "flag": None}
    save("open_auto", Open, (torch.ones(3, 3, 8), None), dynamic_shapes=auto)
    save("no_grad", NoGrad, (one,))
    save("tied", Tied, (torch.tensor([[1, 2, 3, 4]]),))
    arguments = ({"k": torch.ones(2), "j": torch.zeros(3)}, [torch.ones(2), torch.zeros(1)])
    save("nested", Nested, arguments, {"input": torch.ones(4), "scale": 3.0, "mode": "y"})
    save("kinds", Kinds, (torch.ones(1, 3),))
    save("calls", Calls, (one,))
    save("compiled", lambda: torch.compile(Calls()), (one,))
    for ending, decomposed in (("", False), ("_core", True)):
        save(f"counts{ending}", lambda: Counts(True), (one,), decomposed=decomposed)
        save(f"counts_unread{ending}", lambda: Counts(False), (one,), decomposed=decomposed)
        save(f"parts{ending}", Parts, (torch.ones(2, 4),), decomposed=decomposed)
    save("depends", Depends, (torch.ones(2, 3),))
    save("waves", Waves, (torch.ones(3, 2),))
    save("branches", Branches, (one,))
    save("subclass", Subclass, (torch.ones(1, 2),))
    exported = torch.export.export(Calls().eval(), (one,))
    package_pt2(HERE / "two.pt2", exported_programs={"encoder": exported, "decoder": exported})


if __name__ == "__main__":
    main()
