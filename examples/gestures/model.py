"""A small network that tells motions apart by a board's acceleration. The same file serves both ends."""

from window import AXES, NAMES

from burnrt import nn


class GestureNet(nn.Module):
    """Three convolutions along time and a dense layer.

    Input [batch, 3, 100]: acceleration along x, y and z in g, oldest sample first. Output [batch, 4], a
    score for each of NAMES.
    """

    def __init__(self):
        self.conv1 = nn.Conv1d(AXES, 12, 5, stride=2, padding=2)
        self.norm1 = nn.BatchNorm(12)
        self.conv2 = nn.Conv1d(12, 16, 5, stride=2, padding=2)
        self.norm2 = nn.BatchNorm(16)
        self.conv3 = nn.Conv1d(16, 16, 5, stride=2, padding=2)
        self.norm3 = nn.BatchNorm(16)
        self.fc = nn.Linear(208, len(NAMES))
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()

    def forward(self, x):
        x = self.relu(self.norm1(self.conv1(x)))
        x = self.relu(self.norm2(self.conv2(x)))
        x = self.relu(self.norm3(self.conv3(x)))
        return self.fc(self.flatten(x))
