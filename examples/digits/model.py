"""A small network for handwritten digits, 8 by 8 pixels. The same file serves the host and the board."""

from burnrt import nn

IMAGE_SIZE = 64  # pixels, row by row, each from 0 (paper) to 16 (ink)


class DigitsNet(nn.Module):
    """Two convolutions with batch normalisation, two dense layers.

    Input [batch, 1, 8, 8], pixels from 0 to 1. Output [batch, 10], a score for each digit.
    """

    def __init__(self):
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.norm1 = nn.BatchNorm(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.norm2 = nn.BatchNorm(16)
        self.fc1 = nn.Linear(64, 32)
        self.fc2 = nn.Linear(32, 10)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2)
        self.flatten = nn.Flatten()

    def forward(self, x):
        x = self.pool(self.relu(self.norm1(self.conv1(x))))
        x = self.pool(self.relu(self.norm2(self.conv2(x))))
        x = self.relu(self.fc1(self.flatten(x)))
        return self.fc2(x)
