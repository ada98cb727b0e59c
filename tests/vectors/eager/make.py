"""Writes state dicts of networks that torch.ao.quantization made, with answers of PyTorch. Needs torch 2.15.

    python tests/vectors/eager/make.py

NAME.pt of each kind, and in answers.safetensors NAME.input and NAME.output.
"""

import io
import warnings
import zipfile
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn
from torch.ao import quantization as eager

HERE = Path(__file__).parent
_FIRST = (2025, 1, 1, 0, 0, 0)  # the date of zip entries, the same each time


class Residual(nn.Module):
    """Convolutions with what is merged into them, a sum, and pools."""

    def __init__(self):
        super().__init__()
        self.quant, self.dequant = eager.QuantStub(), eager.DeQuantStub()
        self.stem = nn.Sequential(nn.Conv2d(2, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU())
        self.deep = nn.Conv2d(6, 6, 3, padding=1, groups=6)
        self.act = nn.Hardswish()
        self.point = nn.Conv2d(6, 6, 1)
        self.add = nn.quantized.FloatFunctional()
        self.pool = nn.MaxPool2d(2)
        self.mean = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        x = self.pool(self.stem(self.quant(x)))
        x = self.add.add(x, self.point(self.act(self.deep(x))))
        return self.dequant(self.head(self.mean(x).flatten(1)))

    fused = (("stem.0", "stem.1", "stem.2"),)
    shape = (2, 6, 6)


class Even(Residual):
    """The same with means of 16 numbers, of which some lie halfway between two bytes."""

    shape = (2, 8, 8)


class Dense(nn.Module):
    """Linears with functions of one value between them."""

    def __init__(self):
        super().__init__()
        self.quant, self.dequant = eager.QuantStub(), eager.DeQuantStub()
        self.first, self.second, self.third = nn.Linear(20, 16), nn.Linear(16, 16), nn.Linear(16, 4)
        self.sigmoid, self.relu, self.elu = nn.Sigmoid(), nn.ReLU(), nn.ELU()
        self.norm = nn.LayerNorm(16)

    def forward(self, x):
        x = self.norm(self.sigmoid(self.first(self.quant(x))))
        return self.dequant(self.third(self.relu(self.second(x))))

    fused = (("second", "relu"),)
    shape = (20,)


def train(model, shape):
    optimizer = torch.optim.SGD(model.parameters(), 0.05)
    for _ in range(10):
        optimizer.zero_grad()
        given = torch.rand(16, *shape)
        (model(given) - given.flatten(1)[:, :4].sum(1, keepdim=True)).square().mean().backward()
        optimizer.step()


def quantized(made, engine, is_trained):
    """Return a network whose modules are those of torch.ao.nn.quantized."""
    torch.backends.quantized.engine = engine
    model = made().train(is_trained)
    fuse = eager.fuse_modules_qat if is_trained else eager.fuse_modules
    if not is_trained:
        train(model.train(), made.shape)
        model.eval()
    model = fuse(model, [list(names) for names in made.fused])
    get = eager.get_default_qat_qconfig if is_trained else eager.get_default_qconfig
    model.qconfig = get(engine)
    (eager.prepare_qat if is_trained else eager.prepare)(model, inplace=True)
    if is_trained:
        train(model, made.shape)
        model.eval()
    else:
        model(torch.rand(32, *made.shape))
    return eager.convert(model)


KINDS = {
    "qnnpack": (Residual, "qnnpack", False),
    "qnnpack_qat": (Residual, "qnnpack", True),
    "fbgemm": (Residual, "fbgemm", False),
    "fbgemm_qat": (Residual, "fbgemm", True),
    "x86": (Residual, "x86", False),
    "even_qnnpack": (Even, "qnnpack", False),
    "dense_qnnpack": (Dense, "qnnpack", False),
    "dense_x86": (Dense, "x86", False),
}


def save(state, path):
    """Write what torch.save does, in entries without the time."""
    buffer = io.BytesIO()
    torch.save(state, buffer)
    with zipfile.ZipFile(buffer) as made, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        for name in made.namelist():
            written.writestr(zipfile.ZipInfo(name, _FIRST), made.read(name))


def main():
    answers = {}
    for number, (name, (made, engine, is_trained)) in enumerate(KINDS.items()):
        torch.manual_seed(number)
        model = quantized(made, engine, is_trained)
        save(model.state_dict(), HERE / f"{name}.pt")
        given = torch.rand(24, *made.shape)
        answers[f"{name}.input"] = given
        with torch.no_grad():
            answers[f"{name}.output"] = torch.cat([model(one[None]) for one in given]).contiguous()
    save_file(answers, HERE / "answers.safetensors")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main()
