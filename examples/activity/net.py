"""A recurrent network that is run a sample at a time, in plain PyTorch: its state goes in and comes out."""

import torch
from motion import AXES, NAMES
from torch import nn

STATE = 24


class ActivityNet(nn.Module):
    """One step: x [batch, 6], a sample; h [batch, 24], the state, zeros at first.

    Output: [batch, 4], a score for each of NAMES, and the next state.
    """

    def __init__(self, mean, deviation):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("deviation", deviation)
        self.cell = nn.GRUCell(AXES, STATE)
        self.scores = nn.Linear(STATE, len(NAMES))

    def forward(self, x, h):
        h = self.cell((x - self.mean) / self.deviation, h)
        return self.scores(h), h


def followed(net, recordings):
    """Return the scores [samples, batch, 4] after each sample of recordings [batch, samples, 6]."""
    h = torch.zeros(len(recordings), STATE)
    scores = []
    for x in recordings.unbind(1):
        score, h = net(x, h)
        scores.append(score)
    return torch.stack(scores)
