"""Train the activity network on a smart watch's recordings; write activity.pt2 and recordings.safetensors.

    python examples/activity/train.py        needs torch, aeon and safetensors

The recordings are BasicMotions, which the package aeon has: 40 to train on, 40 held out. They are what
recordings.safetensors holds, with PyTorch's scores after each sample. Takes a minute on one core.
"""

from pathlib import Path

import numpy as np
import torch
from aeon.datasets import load_basic_motions
from motion import AXES, NAMES, UNIT
from net import STATE, ActivityNet, followed
from safetensors.numpy import save_file

HERE = Path(__file__).parent
SEED = 0
STEPS = 600
BATCH = 40
SPAN = 60  # samples that a step trains on
SETTLED = 10  # samples before an answer is asked for


def recordings(split):
    """Return motions in hundredths, int16 [n, samples, 6], and labels, uint8 [n], places in NAMES."""
    motions, names = load_basic_motions(split)
    labels = np.array([NAMES.index(name) for name in names], np.uint8)
    counts = np.round(motions.transpose(0, 2, 1) * UNIT).astype(np.int16)
    return np.ascontiguousarray(counts), labels  # safetensors writes memory as it lies


def as_input(counts):
    return torch.from_numpy(counts.astype(np.float32) / UNIT)


def varied(motions):
    """Return a random span of each recording, a little stronger or weaker, and with noise."""
    starts = torch.randint(motions.shape[1] - SPAN + 1, (len(motions),)).tolist()
    spans = torch.stack([one[start : start + SPAN] for one, start in zip(motions, starts, strict=True)])
    strength = torch.empty(len(spans), 1, spans.shape[2]).uniform_(0.8, 1.25)
    return spans * strength + torch.randn_like(spans) * 0.1


def train(net, motions, targets):
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    for _ in range(STEPS):
        optimizer.zero_grad()
        scores = followed(net, varied(motions))[SETTLED:]
        torch.nn.functional.cross_entropy(scores.flatten(0, 1), targets.repeat(len(scores))).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    counts, labels = recordings("TRAIN")
    motions = as_input(counts)
    flat = motions.flatten(0, 1)
    net = ActivityNet(flat.mean(0), flat.std(0))
    train(net, motions, torch.from_numpy(labels.astype(np.int64)))
    net.eval()
    counts, labels = recordings("TEST")
    with torch.no_grad():
        scores = followed(net, as_input(counts)).numpy()
    for after in (20, 50, 100):
        right = (scores[after - 1].argmax(1) == labels).sum()
        print("right after %d samples: %d of %d" % (after, right, len(labels)))
    held_out = {"motions": counts, "labels": labels, "scores": np.ascontiguousarray(scores.swapaxes(0, 1))}
    save_file(held_out, HERE / "recordings.safetensors")
    example = (torch.zeros(1, AXES), torch.zeros(1, STATE))
    torch.export.save(torch.export.export(net, example), HERE / "activity.pt2")


if __name__ == "__main__":
    main()
