"""Train the digits network with PyTorch, and write digits.pt and test_images.safetensors beside this file.

    python examples/digits/train.py        needs torch, scikit-learn and safetensors

A fifth of scikit-learn's digits is held out: never trained on, and what test_images.safetensors holds.
"""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch_net import Net, as_input

HERE = Path(__file__).parent
SEED = 0
EPOCHS = 60
BATCH = 32


def train(net, images, labels):
    inputs, targets = as_input(images), torch.from_numpy(labels.astype(np.int64))
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    net.train()
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(inputs)).split(BATCH):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(inputs[chosen]), targets[chosen]).backward()
            optimizer.step()
        schedule.step()


def accuracy(net, images, labels):
    net.eval()
    with torch.no_grad():
        found = net(as_input(images)).argmax(1).numpy()
    return float((found == labels).mean())


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    digits = load_digits()
    images, labels = digits.images.astype(np.uint8), digits.target.astype(np.uint8)
    split = train_test_split(images, labels, test_size=0.2, random_state=SEED, stratify=labels)
    train_images, test_images, train_labels, test_labels = split
    net = Net()
    train(net, train_images, train_labels)
    right = accuracy(net, test_images, test_labels)
    print("accuracy on %d held-out images: %.2f %%" % (len(test_labels), 100 * right))
    torch.save(net.state_dict(), HERE / "digits.pt")
    held_out = {"images": np.ascontiguousarray(test_images), "labels": np.ascontiguousarray(test_labels)}
    save_file(held_out, HERE / "test_images.safetensors")


if __name__ == "__main__":
    main()
