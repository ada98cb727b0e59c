"""A keyword spotter in plain PyTorch: a second of sound goes in, as a microphone gives it."""

import math

import torch
from sound import NAMES, RATE
from torch import nn

BANDS = 16
LOWEST, HIGHEST = 120.0, 3700.0  # Hz, of the bands' middles
WINDOW, HOP = 200, 160  # samples: 25 ms, 20 ms
STATE = 24
QUIETEST = 1e-4  # energy of a band, so that silence has a logarithm


def tones():
    """Return what finds tones, [2 * BANDS, 1, WINDOW]: a cosine of each band, then a sine of each."""
    ends = [2595 * math.log10(1 + hertz / 700) for hertz in (LOWEST, HIGHEST)]  # on the mel scale
    middles = 700 * (10 ** (torch.linspace(*ends, BANDS) / 2595) - 1)
    phases = 2 * math.pi * middles[:, None] * torch.arange(WINDOW) / RATE
    window = torch.hann_window(WINDOW) * (2 / WINDOW)
    return torch.cat([phases.cos() * window, phases.sin() * window])[:, None]


class KeywordNet(nn.Module):
    """Input [batch, 1, 8000], sound from -1 to 1. Output [batch, 5], a score for each of NAMES."""

    def __init__(self):
        super().__init__()
        self.bank = nn.Conv1d(1, 2 * BANDS, WINDOW, stride=HOP, bias=False)
        self.bank.weight.data = tones()
        self.gru = nn.GRU(BANDS, STATE, batch_first=True)
        self.scores = nn.Linear(STATE, len(NAMES))

    def forward(self, x):
        cosines, sines = self.bank(x).chunk(2, dim=1)
        loudness = torch.log(cosines**2 + sines**2 + QUIETEST)
        loudness = loudness - loudness.mean(dim=2, keepdim=True)  # however loud, and whichever microphone
        states, _ = self.gru(loudness.transpose(1, 2))
        return self.scores(states.amax(dim=1))
