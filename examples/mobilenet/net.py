"""A small MobileNetV2 in plain PyTorch: inverted residuals with depthwise convolutions."""

import torch
from torch import nn

CLASSES = 10


def normed(inputs, outputs, size, stride=1, groups=1):
    """Return a convolution that keeps the image's size, but for the stride, and its normalisation."""
    convolution = nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False)
    return [convolution, nn.BatchNorm2d(outputs)]


class InvertedResidual(nn.Module):
    """Widen by a factor, filter each channel by itself, and narrow again; add the input where it fits."""

    def __init__(self, inputs, outputs, stride, factor=3):
        super().__init__()
        wide = inputs * factor
        self.layers = nn.Sequential(
            *normed(inputs, wide, 1),
            nn.ReLU6(inplace=True),
            *normed(wide, wide, 3, stride, groups=wide),
            nn.ReLU6(inplace=True),
            *normed(wide, outputs, 1),
        )
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class MobileNet(nn.Module):
    """Input [batch, 1, 28, 28], pixels from 0 to 1. Output [batch, 10], a score for each digit."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(*normed(1, 8, 3, stride=2), nn.ReLU6(inplace=True))
        self.blocks = nn.Sequential(
            InvertedResidual(8, 12, stride=2),
            InvertedResidual(12, 12, stride=1),
            InvertedResidual(12, 16, stride=2),
            InvertedResidual(16, 16, stride=1),
        )
        self.head = nn.Sequential(*normed(16, 48, 1), nn.ReLU6(inplace=True))
        self.classifier = nn.Sequential(nn.Dropout(0.1), nn.Linear(48, CLASSES))

    def forward(self, x):
        x = self.head(self.blocks(self.stem(x)))
        return self.classifier(torch.flatten(nn.functional.adaptive_avg_pool2d(x, 1), 1))
