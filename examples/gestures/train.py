"""Train the gesture network with PyTorch on made-up motions, and write gestures.pt beside this file.

PYTHONPATH=shared:device python examples/gestures/train.py        needs torch
"""

from pathlib import Path

import numpy as np
import torch
from motions import windows
from torch import nn
from window import AXES, NAMES

HERE = Path(__file__).parent
SEED = 0
TRAINING, TEST = 6000, 400
EPOCHS = 25
BATCH = 64


class Net(nn.Module):
    """The same network as model.py's GestureNet, for training."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(AXES, 12, 5, stride=2, padding=2)
        self.norm1 = nn.BatchNorm1d(12)
        self.conv2 = nn.Conv1d(12, 16, 5, stride=2, padding=2)
        self.norm2 = nn.BatchNorm1d(16)
        self.conv3 = nn.Conv1d(16, 16, 5, stride=2, padding=2)
        self.norm3 = nn.BatchNorm1d(16)
        self.fc = nn.Linear(208, len(NAMES))

    def forward(self, x):
        x = torch.relu(self.norm1(self.conv1(x)))
        x = torch.relu(self.norm2(self.conv2(x)))
        x = torch.relu(self.norm3(self.conv3(x)))
        return self.fc(x.flatten(1))


def train(net, inputs, targets):
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    net.train()
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(inputs)).split(BATCH):
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(inputs[chosen]), targets[chosen]).backward()
            optimizer.step()
        schedule.step()


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    random = np.random.default_rng(SEED)
    samples, labels = windows(TRAINING, random)
    net = Net()
    train(net, torch.from_numpy(samples), torch.from_numpy(labels.astype(np.int64)))
    test_samples, test_labels = windows(TEST, random)
    net.eval()
    with torch.no_grad():
        found = net(torch.from_numpy(test_samples)).argmax(1).numpy()
    print("right: %.2f %% of %d made-up motions" % (100 * (found == test_labels).mean(), TEST))
    torch.save(net.state_dict(), HERE / "gestures.pt")


if __name__ == "__main__":
    main()
