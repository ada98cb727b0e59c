"""What PyTorch's own quantizing after training loses on the examples' networks: tools/accuracy_pt2e.json.

.venv/bin/python -m tools.accuracy FOLDER
python tools/bench/pt2e.py FOLDER        needs torch and torchao, and nothing of burnstore
"""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import torch
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
from torchao.testing.pt2e import _xnnpack_quantizer as xnnpack

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"


def trained(folder, module, weights):
    """Return the network of a module in an example's folder, with its weights."""
    sys.path.insert(0, str(EXAMPLES / folder))
    for name in ("window", "motions", module):
        sys.modules.pop(name, None)
    net = importlib.import_module(module).Net()
    sys.path.pop(0)
    net.load_state_dict(torch.load(EXAMPLES / folder / weights, weights_only=True))
    return net.eval()


NETWORKS = {
    "digits": lambda: trained("digits", "torch_net", "digits.pt"),
    "tiny": lambda: trained("mnist", "train_tiny", "tiny.pt"),
    "mobilenet": lambda: torch.export.load(EXAMPLES / "mobilenet" / "mobilenet.pt2").module(),
    "gestures": lambda: trained("gestures", "train", "gestures.pt"),
}
QUANTIZERS = {
    "x86": lambda: x86.X86InductorQuantizer().set_global(x86.get_default_x86_inductor_quantization_config()),
    "xnnpack": lambda: xnnpack.XNNPACKQuantizer().set_global(
        xnnpack.get_symmetric_quantization_config(is_per_channel=True)
    ),
}


def answers(net, samples):
    with torch.no_grad():
        return torch.cat([net(torch.from_numpy(sample[None])) for sample in samples]).numpy()


def main():
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    found = {}
    for name, make in NETWORKS.items():
        samples, net = np.load(Path(sys.argv[1]) / f"{name}.npz"), make()
        floats, found[name] = answers(net, samples["x"]), {}
        for quantizer, chosen in QUANTIZERS.items():
            program = torch.export.export(net, (torch.from_numpy(samples["calibration"][:1]),)).module()
            prepared = prepare_pt2e(program, chosen())
            answers(prepared, samples["calibration"])
            made = answers(convert_pt2e(prepared), samples["x"])
            right = int((made.argmax(1) == samples["labels"]).sum())
            found[name][quantizer] = right, round(float(np.sqrt(np.square(made - floats).mean())), 5)
    (ROOT / "tools" / "accuracy_pt2e.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
