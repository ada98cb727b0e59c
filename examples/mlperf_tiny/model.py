"""The four networks of the MLPerf Tiny benchmark, in Burn's layers. The same file serves host and board.

They follow the reference networks; PyTorch's padding is the same on both sides, where theirs, of a stride of
two, is one less above and to the left.
"""

from burnrt import nn


def _conv(inputs, outputs, kernel, stride=1, padding=1, groups=1):
    """Return a convolution and its normalisation; the ReLU has no weights and is shared."""
    conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups)
    return nn.Sequential(conv, nn.BatchNorm(outputs), nn.ReLU())


class DepthwiseBlock(nn.Module):
    """A convolution of each channel by itself, then one of 1 by 1 that mixes them."""

    def __init__(self, inputs, outputs, stride=1):
        self.depthwise = _conv(inputs, inputs, 3, stride, groups=inputs)
        self.pointwise = _conv(inputs, outputs, 1, padding=0)

    def forward(self, x):
        return self.pointwise(self.depthwise(x))


class KeywordSpotting(nn.Module):
    """DS-CNN: a second of speech, as 49 frames of 10 MFCC features, is one of 12 words.

    Input [batch, 1, 49, 10]. Output [batch, 12], probabilities.
    """

    SHAPE = (1, 1, 49, 10)

    def __init__(self):
        self.first = _conv(1, 64, (10, 4), 2, (5, 1))
        self.blocks = nn.Sequential(*[DepthwiseBlock(64, 64) for _ in range(4)])
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(64, 12)
        self.softmax = nn.Softmax(1)

    def forward(self, x):
        x = self.pool(self.blocks(self.first(x)))
        return self.softmax(self.fc(self.flatten(x)))


class VisualWakeWords(nn.Module):
    """MobileNetV1 of a quarter's width: is there a person in a picture of 96 by 96?

    Input [batch, 3, 96, 96]. Output [batch, 2], probabilities.
    """

    SHAPE = (1, 3, 96, 96)
    # outputs and stride of each block
    BLOCKS = (
        (16, 1),
        (32, 2),
        (32, 1),
        (64, 2),
        (64, 1),
        (128, 2),
        (128, 1),
        (128, 1),
        (128, 1),
        (128, 1),
        (128, 1),
        (256, 2),
        (256, 1),
    )

    def __init__(self):
        self.first = _conv(3, 8, 3, 2)
        inputs, blocks = 8, []
        for outputs, stride in self.BLOCKS:
            blocks.append(DepthwiseBlock(inputs, outputs, stride))
            inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(inputs, 2)
        self.softmax = nn.Softmax(1)

    def forward(self, x):
        x = self.pool(self.blocks(self.first(x)))
        return self.softmax(self.fc(self.flatten(x)))


class ResidualBlock(nn.Module):
    """Two convolutions, and a way around them: the input itself, or a convolution of 1 by 1."""

    def __init__(self, inputs, outputs, stride=1):
        self.conv1 = _conv(inputs, outputs, 3, stride)
        self.conv2 = nn.Sequential(nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm(outputs))
        self.around = nn.Conv2d(inputs, outputs, 1, stride) if inputs != outputs else None
        self.relu = nn.ReLU()

    def forward(self, x):
        around = x if self.around is None else self.around(x)
        return self.relu(self.conv2(self.conv1(x)) + around)


class ImageClassification(nn.Module):
    """ResNet-8: a picture of 32 by 32 is one of ten things.

    Input [batch, 3, 32, 32]. Output [batch, 10], probabilities.
    """

    SHAPE = (1, 3, 32, 32)

    def __init__(self):
        self.first = _conv(3, 16, 3)
        self.block1 = ResidualBlock(16, 16)
        self.block2 = ResidualBlock(16, 32, 2)
        self.block3 = ResidualBlock(32, 64, 2)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(64, 10)
        self.softmax = nn.Softmax(1)

    def forward(self, x):
        x = self.block3(self.block2(self.block1(self.first(x))))
        return self.softmax(self.fc(self.flatten(self.pool(x))))


class AnomalyDetection(nn.Module):
    """A deep autoencoder: how badly it repeats the sound of a machine tells how unusual that is.

    Input [batch, 640], five frames of 128 logarithms of mel energies. Output [batch, 640],
    the same, repeated.
    """

    SHAPE = (1, 640)
    WIDTHS = (640, 128, 128, 128, 128, 8, 128, 128, 128, 128)

    def __init__(self):
        layers = []
        for place in range(1, len(self.WIDTHS)):
            inputs, outputs = self.WIDTHS[place - 1], self.WIDTHS[place]
            layers += [nn.Linear(inputs, outputs), nn.BatchNorm(outputs), nn.ReLU()]
        self.layers = nn.Sequential(*layers)
        self.last = nn.Linear(self.WIDTHS[-1], self.WIDTHS[0])

    def forward(self, x):
        return self.last(self.layers(x))


NETWORKS = (KeywordSpotting, VisualWakeWords, ImageClassification, AnomalyDetection)
