"""Ask PyTorch what digits.pt computes and answers: write digits.pt2, x.npy and y.npy beside this file.

    python examples/digits/answers.py        needs torch and safetensors, and nothing of burnstore

digits.pt2 is the network as PyTorch exports it. x.npy, float32 [20, 1, 8, 8], are the first held-out images,
y.npy, float32 [20, 10], PyTorch's scores.
"""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from torch_net import Net, as_input

HERE = Path(__file__).parent
COUNT = 20


def main():
    net = Net()
    net.load_state_dict(torch.load(HERE / "digits.pt"))
    net.eval()
    images = load_file(HERE / "test_images.safetensors")["images"][:COUNT]
    x = as_input(images)
    with torch.no_grad():
        y = net(x)
    torch.export.save(torch.export.export(net, (x[:1].clone(),)), HERE / "digits.pt2")
    np.save(HERE / "x.npy", x.numpy())
    np.save(HERE / "y.npy", y.numpy())


if __name__ == "__main__":
    main()
