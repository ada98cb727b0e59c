"""Train the keyword spotter on made-up speech; write keywords.pt2, cases.npz and clips.safetensors.

    python examples/keywords/train.py        needs torch, safetensors and the program espeak-ng

Clips of held-out voices are never trained on; clips.safetensors holds some of them. Takes five minutes on one
core.
"""

from pathlib import Path

import numpy as np
import torch
from net import KeywordNet
from safetensors.numpy import save_file
from speech import HELD_OUT, VOICES, clips, words

HERE = Path(__file__).parent
SEED = 0
TRAINING, TEST = 3000, 500  # words
KEPT, CASES = 50, 4  # clips in clips.safetensors, and in cases.npz
EPOCHS = 24
BATCH = 64
LOUDEST = 128  # the value of a sample at full scale


def as_input(sounds):
    """Return clips (n, 8000) as the network's input (n, 1, 8000), from -1 to 1."""
    return torch.from_numpy(sounds.astype(np.float32) / LOUDEST).unsqueeze(1)


def train(net, sounds, labels, random):
    """Train on the words, each in other noise and at another place in every epoch."""
    targets = torch.from_numpy(labels.astype(np.int64))
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3, weight_decay=1e-5)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for epoch in range(EPOCHS):
        inputs, total = as_input(clips(sounds, labels, random)), 0.0
        for chosen in torch.randperm(len(inputs)).split(BATCH):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(inputs[chosen]), targets[chosen])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * len(chosen)
        schedule.step()
        print("epoch %d: loss %.4f" % (epoch + 1, total / len(inputs)), flush=True)


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    random = np.random.default_rng(SEED)
    sounds, labels = words(TRAINING, [voice for voice in VOICES if voice not in HELD_OUT], random)
    net = KeywordNet()
    train(net, sounds, labels, random)
    net.eval()
    cases = as_input(clips(sounds[:CASES], labels[:CASES], random))
    sounds, labels = words(TEST, HELD_OUT, random)
    sounds = clips(sounds, labels, random)
    with torch.no_grad():
        scores = net(as_input(sounds)).numpy()
        np.savez_compressed(HERE / "cases.npz", input0=cases, output0=net(cases))
    right = scores.argmax(1) == labels
    print("right: %d of %d clips of held-out voices" % (right.sum(), TEST))
    held_out = {"clips": sounds[:KEPT], "labels": labels[:KEPT], "scores": scores[:KEPT]}
    save_file(held_out, HERE / "clips.safetensors")
    example = cases[:1].clone()  # alone: the file has all of the memory that an example lies in
    torch.export.save(torch.export.export(net, (example,)), HERE / "keywords.pt2")


if __name__ == "__main__":
    main()
