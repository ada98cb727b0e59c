"""Three networks for handwritten digits, 28 by 28 pixels. The same file serves the host and the board.

Input [batch, 1, 28, 28]: grey values through `normalised`, but for MnistTiny. Output [batch, 10].
"""

from burnrt import nn

_MEAN = 0.1307  # of the training images, pixels from 0 to 1
_DEVIATION = 0.3081


def normalised(pixels):
    """Yield the network's input for grey values from 0 (paper) to 255 (ink)."""
    for pixel in pixels:
        yield (pixel / 255 - _MEAN) / _DEVIATION


class MnistNet(nn.Module):
    """Three convolutions and two dense layers, as PyTorch's checkpoint `mnist.pt` has them.

    The output is the logarithm of each class's probability.
    """

    def __init__(self):
        self.conv1 = nn.Conv2d(1, 8, 3)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.conv3 = nn.Conv2d(16, 24, 3)
        self.norm1 = nn.BatchNorm(24)
        self.fc1 = nn.Linear(11616, 32)
        self.fc2 = nn.Linear(32, 10)
        self.norm2 = nn.BatchNorm(10)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.log_softmax = nn.LogSoftmax(1)

    def forward(self, x):
        x = self.relu(self.conv1(x))
        x = self.relu(self.conv2(x))
        x = self.relu(self.conv3(x))
        x = self.flatten(self.norm1(x))
        x = self.relu(self.fc1(x))
        return self.log_softmax(self.norm2(self.fc2(x)))


class ConvBlock(nn.Module):
    """Convolve, normalise, cut off below zero, halve the plane."""

    def __init__(self, in_channels, out_channels):
        self.conv = nn.Conv2d(in_channels, out_channels, 3)
        self.norm = nn.BatchNorm(out_channels)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        return self.pool(self.relu(self.norm(self.conv(x))))


class MnistConvBn(nn.Module):
    """Two convolution blocks of 64 channels and three dense layers, as in Rust Burn's `mnist_conv_bn.bpk`.

    The output is a score for each class.
    """

    def __init__(self):
        self.conv1 = ConvBlock(1, 64)
        self.conv2 = ConvBlock(64, 64)
        self.fc1 = nn.Linear(1600, 128)
        self.fc2 = nn.Linear(128, 128)
        self.fc3 = nn.Linear(128, 10)
        self.flatten = nn.Flatten()
        self.gelu = nn.GELU()

    def forward(self, x):
        x = self.flatten(self.conv2(self.conv1(x)))
        x = self.gelu(self.fc1(x))
        x = self.gelu(self.fc2(x))
        return self.fc3(x)


class MnistTiny(nn.Module):
    """Three convolutions of stride 2 and a mean: 51,228 multiplications, for a microcontroller.

    Its input are pixels from 0 (paper) to 1 (ink), so that of the quantized network's are the image's bytes.
    The output is a score for each class.
    """

    def __init__(self):
        self.conv1 = nn.Conv2d(1, 8, 3, 2)
        self.norm1 = nn.BatchNorm(8)
        self.conv2 = nn.Conv2d(8, 12, 3, 2)
        self.norm2 = nn.BatchNorm(12)
        self.conv3 = nn.Conv2d(12, 18, 3, 2)
        self.norm3 = nn.BatchNorm(18)
        self.fc = nn.Linear(18, 10)
        self.relu = nn.ReLU()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()

    def forward(self, x):
        x = self.relu(self.norm1(self.conv1(x)))
        x = self.relu(self.norm2(self.conv2(x)))
        x = self.relu(self.norm3(self.conv3(x)))
        return self.fc(self.flatten(self.pool(x)))
