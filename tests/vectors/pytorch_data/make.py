"""Make expected.json: what PyTorch reads from the checkpoints of other programs in this project.

Run with torch 2.13 installed: python tests/vectors/pytorch_data/make.py
"""

import importlib.util
import json
import pathlib
import warnings

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
PATTERNS = (
    "examples/mnist/mnist.pt",
    "tests/data/pytorch/*.pt",
    "tests/data/pytorch/*.tar",
    "tests/data/rust/*.pt",
)
BROKEN = ("tests/data/pytorch/broken.pt",)


def main():
    """Make the file."""
    warnings.simplefilter("ignore")
    spec = importlib.util.spec_from_file_location("zip_vectors", HERE.parent / "pytorch_zip" / "make.py")
    zip_vectors = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(zip_vectors)
    paths = [path for pattern in PATTERNS for path in ROOT.glob(pattern)]
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths)
    expected = {name: zip_vectors.expected_of(ROOT / name) for name in names if name not in BROKEN}
    lines = [f"{json.dumps(name)}: [\n{zip_vectors.rows_text(rows)}]" for name, rows in expected.items()]
    (HERE / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
