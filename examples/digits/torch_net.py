"""The digits network in PyTorch, and its input: what train.py and answers.py share."""

import numpy as np
import torch
from torch import nn

DEEPEST = 16  # the value of a wholly inked pixel


class Net(nn.Module):
    """The same network as model.py's DigitsNet."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(16)
        self.fc1 = nn.Linear(64, 32)
        self.fc2 = nn.Linear(32, 10)

    def forward(self, x):
        x = torch.max_pool2d(torch.relu(self.norm1(self.conv1(x))), 2)
        x = torch.max_pool2d(torch.relu(self.norm2(self.conv2(x))), 2)
        x = torch.relu(self.fc1(x.flatten(1)))
        return self.fc2(x)


def as_input(images):
    """Return images (n, 8, 8) as the network's input (n, 1, 8, 8), pixels from 0 to 1."""
    return torch.from_numpy(images.astype(np.float32) / DEEPEST).unsqueeze(1)
