"""Make moves.json: where PyTorch's functions put the numbers of values that they move, cut, join and resize.

    python tests/vectors/moves/make.py        needs torch

A list of [text, shapes, answers]: what is written, the shapes of x, y..., and of each answer its shape and
its numbers. The inputs are 0, 1, 2... in row-major order, the second one's 100 more, and so on.
"""

import json
from math import prod
from pathlib import Path

import torch
import torch.nn.functional

CASES = """
F.cat([x, y], 1) | 2 3 4, 2 1 4
F.cat((x, y, x), dim=-1) | 2 3, 2 2
F.cat([x, y]) | 2 3, 1 3
F.concat([x, y], 2) | 1 2 3 2, 1 2 1 2
F.stack([x, y]) | 2 3, 2 3
F.stack([x, y, x], dim=-1) | 2 3, 2 3
F.stack((x, y), 1) | 4, 4
F.split(x, 2) | 5 2
F.split(x, [1, 3], dim=1) | 2 4 2
F.split(x, 3, -1) | 2 2 7
F.chunk(x, 2, 1) | 1 6 3
F.chunk(x, 3, dim=-1) | 2 4
F.tensor_split(x, 3, 1) | 2 7
F.tensor_split(x, (1, 4), -1) | 3 5
F.unbind(x) | 3 2
F.unbind(x, -1) | 2 3
F.select(x, 1, -1) | 2 3 4
F.select(x, 0, 1) | 3 2
F.narrow(x, 1, 1, 2) | 2 4 3
F.narrow(x, 0, -2, 2) | 3 2
F.permute(x, (0, 2, 1)) | 2 3 4
F.permute(x, (3, 1, 0, 2)) | 2 3 4 2
F.permute(x, dims=(1, 0, 2)) | 1 3 4
F.permute(x, (0, 2, 3, 1)) | 1 3 2 4
F.transpose(x, 1, 2) | 2 3 4
F.transpose(x, -1, 0) | 2 3 4
F.transpose(x, dim0=0, dim1=1) | 1 5
F.swapaxes(x, 0, 2) | 2 3 1 4
F.movedim(x, 1, -1) | 2 3 4
F.movedim(x, (0, 3), (2, 0)) | 2 3 2 2
F.t(x) | 3 2
F.flip(x, (0,)) | 4
F.flip(x, [1, 2]) | 2 3 4
F.flip(x, dims=(-3, -1)) | 2 3 4
F.roll(x, 2) | 2 3
F.roll(x, 1, 1) | 2 3 2
F.roll(x, (-1, 2), dims=(0, -1)) | 3 2 5
F.expand(x, (2, 3, 4)) | 3 1
F.expand(x, (-1, 4, -1)) | 2 1 3
F.expand_as(x, y) | 1 3 1, 2 3 2
F.broadcast_to(x, (2, 3)) | 3
F.repeat(x, (2, 1, 3)) | 2 3
F.repeat(x, (1, 2)) | 2 3
F.tile(x, (2,)) | 2 3
F.repeat_interleave(x, 2, dim=1) | 2 3 2
F.repeat_interleave(x, 3) | 2 2
F.pad(x, (1, 2)) | 2 3
F.pad(x, (2, 0), value=-1.5) | 1 2 5
F.pad(x, (0, 1, 2, -1), "constant", 7) | 2 3 4
F.pad(x, (0, 0, 1, 1, 0, 1)) | 2 2 3
F.pad(x, (-1, -2)) | 2 5
F.pad(x, (3, 2), mode="reflect") | 1 2 5
F.pad(x, (1, 2, 2, 0), "reflect") | 1 2 3 4
F.pad(x, (0, -1, -1, 1), "reflect") | 1 2 4 3
F.pad(x, (2, 1), mode="replicate") | 2 3
F.pad(x, (1, 0, 0, 2), "replicate") | 1 2 2 3
F.pad(x, (3, 1), mode="circular") | 1 2 3
F.pad(x, (1, 2, 2, 1), "circular") | 1 1 3 4
F.interpolate(x, scale_factor=2) | 1 2 2 3
F.interpolate(x, scale_factor=2.0, mode="nearest") | 1 2 5
F.interpolate(x, 5) | 1 1 3 4
F.interpolate(x, size=(6, 4)) | 1 1 3 4
F.interpolate(x, scale_factor=(2, 3)) | 2 1 2 2
F.interpolate(x, scale_factor=1.7) | 1 2 7
F.interpolate(x, size=7, mode="nearest-exact") | 1 2 3
F.interpolate(x, scale_factor=2, mode="bilinear") | 1 2 3 2
F.interpolate(x, (5, 4), mode="bilinear", align_corners=True) | 1 1 3 3
F.interpolate(x, scale_factor=0.5, mode="bilinear", recompute_scale_factor=True) | 1 1 5 6
F.interpolate(x, scale_factor=2, mode="linear", align_corners=False) | 1 2 4
F.index_select(x, 1, [2, 0, 0, 3]) | 2 4 3
F.index_select(x, dim=-1, index=[1, 1, 0, 2, 2]) | 2 3
F.index_select(x, 0, (3, 1)) | 4 2
F.index_select(x, 1, [1, 2]) | 1 4 3
F.pixel_shuffle(x, 2) | 2 8 3 2
F.pixel_shuffle(x, upscale_factor=3) | 9 2 2
F.pixel_unshuffle(x, 2) | 1 2 4 6
F.channel_shuffle(x, 2) | 2 6 2 1
F.channel_shuffle(x, groups=3) | 1 6 4
F.unfold(x, 2) | 2 3 4 3
F.unfold(x, (2, 3), dilation=(1, 2), padding=(1, 2), stride=(2, 1)) | 1 2 4 5
F.flatten(x, 1) | 2 3 2
F.squeeze(x, 1) | 2 1 3
F.unsqueeze(x, -1) | 2 3
F.reshape(x, (3, -1)) | 2 6
F.unflatten(x, 1, (2, -1)) | 2 6
nn.PixelShuffle(2)(x) | 1 4 2 3
nn.PixelUnshuffle(3)(x) | 1 1 3 6
nn.ChannelShuffle(3)(x) | 1 6 2 2
nn.Unfold(3, padding=1)(x) | 1 2 4 4
nn.ReflectionPad1d((2, 1))(x) | 1 2 4
nn.ReflectionPad2d(1)(x) | 1 2 3 3
nn.ReplicationPad1d(2)(x) | 1 2 3
nn.ReplicationPad2d((1, 0, 2, 1))(x) | 1 1 2 3
nn.CircularPad1d(2)(x) | 1 2 3
nn.CircularPad2d((0, 2, 1, 0))(x) | 1 1 3 3
F.upsample(x, scale_factor=3) | 1 1 2 2
"""


class Functions:
    """PyTorch's functions, wherever they are; `index_select` takes a list."""

    def index_select(self, input, dim, index):
        return torch.index_select(input, dim, torch.tensor(index))

    def __getattr__(self, name):
        for home in (torch.nn.functional, torch, torch.Tensor):
            if hasattr(home, name):
                return getattr(home, name)
        raise AttributeError(name)


def given(shapes):
    numbers = [torch.arange(float(prod(shape))) + 100 * at for at, shape in enumerate(shapes)]
    return {name: value.reshape(shape) for name, value, shape in zip("xyz", numbers, shapes, strict=False)}


def numbers(answer):
    return [
        int(number) if number == int(number) else round(number, 5) for number in answer.reshape(-1).tolist()
    ]


def main():
    cases = []
    for line in CASES.strip().split("\n"):
        text, _, shapes = line.partition(" | ")
        shapes = [[int(extent) for extent in shape.split()] for shape in shapes.split(",")]
        answer = eval(text, {"F": Functions(), "nn": torch.nn, **given(shapes)})
        answers = answer if isinstance(answer, (tuple, list)) else [answer]
        cases.append([text, shapes, [[list(each.shape), numbers(each)] for each in answers]])
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    Path(__file__).with_name("moves.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
