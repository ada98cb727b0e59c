"""Ask PyTorch what digits.pt answers, for burnstore verify: write x.npy and y.npy beside this file.

    python examples/digits/answers.py        needs torch and safetensors, and nothing of burnstore

x.npy, float32 [20, 1, 8, 8], are the first held-out images, y.npy, float32 [20, 10], PyTorch's scores.
"""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from torch import nn

HERE = Path(__file__).parent
COUNT = 20
DEEPEST = 16  # the value of a wholly inked pixel


class Net(nn.Module):
    """The network that train.py trained."""

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


def main():
    net = Net()
    net.load_state_dict(torch.load(HERE / "digits.pt"))
    net.eval()
    images = load_file(HERE / "test_images.safetensors")["images"][:COUNT]
    x = torch.from_numpy(images.astype(np.float32) / DEEPEST).unsqueeze(1)
    with torch.no_grad():
        y = net(x)
    np.save(HERE / "x.npy", x.numpy())
    np.save(HERE / "y.npy", y.numpy())


if __name__ == "__main__":
    main()
