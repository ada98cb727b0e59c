"""Made-up clips of spoken words: a speech synthesizer's voices, anywhere in a second, in noise.

A clip is int8 [8000], a second at 8,000 samples a second.
"""

import io
import subprocess
import wave

import numpy as np
from sound import NAMES, RATE, SAMPLES

WAVE_HEADER = 44  # bytes: espeak-ng writes sizes that `wave` would not read by, as it writes to a pipe
ACCENTS = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-029")
VOICES = (
    *("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "f1", "f2", "f3", "f4", "f5", "klatt", "klatt2"),
    *("klatt3", "klatt4", "Alex", "Alicia", "Andrea", "Andy", "Annie", "aunty", "belinda", "benjamin"),
    *("boris", "caleb", "david", "Denis", "Diogo", "ed", "edward", "Gene", "grandma", "grandpa", "Henrique"),
    *("Hugo", "iven", "Jacky", "john", "Lee", "linda", "marcelo", "Marco", "Mario", "max", "Michael"),
    *("michel", "miguel", "mike", "norbert", "pablo", "paul", "pedro", "quincy", "rob", "robert", "sandro"),
    *("shelby", "steph", "Storm", "travis", "victor", "zac"),
)
HELD_OUT = VOICES[::6]  # never trained on
OTHERS = (
    *("yes", "no", "up", "down", "on", "off", "house", "seven", "water", "light", "please", "hello", "music"),
    *("low", "so", "spot", "top", "step", "lift", "let", "ride", "wrong", "today", "table", "apple"),
)
PACE = (120, 210)  # words a minute
PITCH = (20, 80)  # of what espeak-ng has, 0 to 99
SILENT = 0.3  # of the clips with nothing to find have no word at all


def words(count, voices, random):
    """Return `count` random words, as `spoken` has them, and their labels, places in NAMES."""
    labels = random.integers(0, len(NAMES), count).astype(np.uint8)
    texts = [NAMES[label] if label else str(random.choice(OTHERS)) for label in labels]
    return [spoken(text, voices, random) for text in texts], labels


def spoken(word, voices, random):
    """Return a word, at most a second long, as one of the voices says it: from -1 to 1."""
    voice = "%s+%s" % (random.choice(ACCENTS), random.choice(voices))
    manner = ["-v", voice, "-s", str(random.integers(*PACE)), "-p", str(random.integers(*PITCH))]
    said = subprocess.run(["espeak-ng", *manner, "--stdout", word], capture_output=True, check=True).stdout
    with wave.open(io.BytesIO(said)) as file:
        rate = file.getframerate()
    sound = resampled(np.frombuffer(said[WAVE_HEADER:], "<i2").astype(np.float64), rate)
    loud = np.flatnonzero(np.abs(sound) > 0.02 * np.abs(sound).max())
    sound = sound[loud[0] : loud[-1] + 1][:SAMPLES]
    return sound / np.abs(sound).max()


def clips(sounds, labels, random):
    """Return a clip with each of the words, int8 [n, 8000]; of those with nothing to find some have none."""
    return np.stack([clip(sound, label == 0, random) for sound, label in zip(sounds, labels, strict=True)])


def clip(word, optional, random):
    """Return a second of noise with a word in it, somewhere; or without, sometimes, where it is optional."""
    sound = noise(random) * 10 ** random.uniform(-3, -1.5)
    if not optional or random.random() > SILENT:
        start = random.integers(0, SAMPLES - len(word) + 1)
        sound[start : start + len(word)] += word * random.uniform(0.15, 0.9)
    return np.clip(np.round(sound * 127), -128, 127).astype(np.int8)


def resampled(sound, rate):
    """Return a sound at RATE, without what is too high for it."""
    count = len(sound) * RATE // rate
    return np.fft.irfft(np.fft.rfft(sound)[: count // 2 + 1], count)


def noise(random):
    """Return a second of noise whose lower tones are as loud as its higher ones, or louder: from -1 to 1."""
    spectrum = np.fft.rfft(random.normal(size=SAMPLES))
    spectrum /= np.maximum(np.arange(len(spectrum)), 20) ** random.uniform(0, 1)
    sound = np.fft.irfft(spectrum, SAMPLES)
    return sound / np.abs(sound).max()
