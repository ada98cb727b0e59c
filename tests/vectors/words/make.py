"""Make words.pt2, a classifier of texts of 1,000 words, and what PyTorch answers. Needs torch 2.15.

    python tests/vectors/words/make.py

Two inputs are indices: twelve words, of which those that are 0 are hidden, and a kind of text.
"""

from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).parent
CASES, LENGTH = 32, 12


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(1000, 4, padding_idx=0)
        self.places = nn.Embedding(LENGTH, 4)
        self.kinds = nn.Embedding(50, 4)
        self.mix = nn.Linear(4, 16)
        self.out = nn.Linear(20, 3)

    def forward(self, words, kind):
        shown = (words != 0).float().unsqueeze(-1)
        found = torch.relu(self.mix(self.words(words) + self.places(torch.arange(LENGTH)))) * shown
        return self.out(torch.cat([found.sum(1) / shown.sum(1), self.kinds(kind[:, 0])], 1))


def main():
    torch.manual_seed(3)
    net = Words().eval()
    words = torch.randint(1, 1000, (CASES, LENGTH))
    for row, length in enumerate(torch.randint(4, LENGTH + 1, (CASES,)).tolist()):
        words[row, length:] = 0
    kinds = torch.randint(0, 50, (CASES, 1))
    torch.export.save(torch.export.export(net, (words[:1], kinds[:1])), HERE / "words.pt2")
    with torch.no_grad():
        save_file(
            {"input0": words, "input1": kinds, "output0": net(words, kinds)}, HERE / "words.io.safetensors"
        )


if __name__ == "__main__":
    main()
