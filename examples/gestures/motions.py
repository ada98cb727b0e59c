"""Made-up motions of a hand-held board, as an accelerometer would see them: what the network learns from.

A window is float32 [3, 100]: x, y and z in g, 50 samples a second.
"""

import numpy as np
from window import AXES, NAMES, RATE, SAMPLES

NOISE = 0.03  # g, of the sensor
TREMOR = 0.02  # g, of the hand
RANGE = 4.0  # g: what the sensor is set to

_TIME = np.arange(SAMPLES, dtype=np.float32) / RATE


def windows(count, random):
    """Return `count` windows of random motions, [count, 3, 100], and their labels, places in NAMES."""
    labels = random.integers(0, len(NAMES), count).astype(np.uint8)
    return np.stack([window(int(label), random) for label in labels]), labels


def window(label, random):
    """Return one window of a motion: gravity from a random side, the motion, tremor and noise."""
    motion = _MOTIONS[NAMES[label]](random)
    tremor = TREMOR * np.sin(2 * np.pi * random.uniform(6, 10) * _TIME + random.uniform(0, 6))
    noise = random.normal(0, NOISE, (AXES, SAMPLES))
    seen = _direction(random)[:, None] + motion + tremor + noise
    return np.clip(seen, -RANGE, RANGE).astype(np.float32)


def _still(random):
    drift = random.normal(0, 0.05, (AXES, 1))
    return drift * _TIME


def _shake(random):
    turns = random.uniform(2.5, 5.5) * _TIME
    swing = random.uniform(0.6, 2.2) * np.sin(2 * np.pi * turns + random.uniform(0, 6))
    return _direction(random)[:, None] * swing


def _circle(random):
    phase = 2 * np.pi * random.uniform(0.7, 1.6) * _TIME + random.uniform(0, 6)
    first = _direction(random)
    second = np.cross(first, _direction(random))
    second /= np.linalg.norm(second) + 1e-6
    return random.uniform(0.35, 1.1) * (np.outer(first, np.cos(phase)) + np.outer(second, np.sin(phase)))


def _tap(random):
    motion = np.zeros((AXES, SAMPLES))
    for start in random.choice(SAMPLES - 8, random.integers(1, 4), replace=False):
        ringing = np.exp(-np.arange(8) / 1.5) * np.cos(np.arange(8) * 2.2)
        motion[:, start : start + 8] += np.outer(_direction(random), random.uniform(0.8, 3.0) * ringing)
    return motion


def _direction(random):
    """Return a random direction, a vector of length 1."""
    vector = random.normal(size=AXES)
    return vector / np.linalg.norm(vector)


_MOTIONS = {"still": _still, "shake": _shake, "circle": _circle, "tap": _tap}
