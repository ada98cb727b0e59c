"""Export a MobileNetV2 with random weights: mobilenet.py TARGET.pt2. It needs torch, and nothing of ours.

The layers are those of "MobileNetV2: Inverted Residuals and Linear Bottlenecks" (arXiv 1801.04381), table 2.
"""

import sys

import torch
from torch import nn

# Expansion, channels, how many blocks, the stride of the first.
BLOCKS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def convolution(inputs, outputs, kernel, stride=1, groups=1, cut=True):
    layers = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*layers, *[nn.ReLU6()] * cut)


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride, expansion):
        super().__init__()
        wide = inputs * expansion
        layers = [convolution(inputs, wide, 1)] if expansion > 1 else []
        layers += [convolution(wide, wide, 3, stride, wide), convolution(wide, outputs, 1, cut=False)]
        self.layers = nn.Sequential(*layers)
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class MobileNetV2(nn.Module):
    def __init__(self):
        super().__init__()
        layers, inputs = [convolution(3, 32, 3, 2)], 32
        for expansion, outputs, count, stride in BLOCKS:
            for number in range(count):
                layers.append(Residual(inputs, outputs, stride if number == 0 else 1, expansion))
                inputs = outputs
        self.features = nn.Sequential(*layers, convolution(inputs, 1280, 1))
        self.classifier = nn.Linear(1280, 1000)

    def forward(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


if __name__ == "__main__":
    torch.manual_seed(0)
    program = torch.export.export(MobileNetV2().eval(), (torch.rand(1, 3, 224, 224),))
    torch.export.save(program, sys.argv[1])
