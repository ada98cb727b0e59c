"""Write the held-out clips for `burnstore quantize`: inputs in build/sounds.npy, labels in words.npy there.

python examples/keywords/samples.py
"""

from pathlib import Path

import numpy as np

from burnstore import SafetensorsStore, array_from_tensor

LOUDEST = 128  # the value of a sample at full scale

here, build = Path(__file__).parent, Path("build")
held_out = SafetensorsStore.from_file(str(here / "clips.safetensors"))
clips, labels = (array_from_tensor(held_out.get_tensor(name)) for name in ("clips", "labels"))
build.mkdir(exist_ok=True)
np.save(build / "sounds.npy", clips[:, None].astype(np.float32) / LOUDEST)
np.save(build / "words.npy", labels)
