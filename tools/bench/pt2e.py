"""What PyTorch's own quantizing after training loses on the examples' networks: tools/accuracy_pt2e.json.

.venv/bin/python -m tools.accuracy FOLDER
python tools/bench/pt2e.py FOLDER [NETWORK ...]        needs torch and torchao, and nothing of burnstore
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
    "activity": lambda: torch.export.load(EXAMPLES / "activity" / "activity.pt2").module(),
    "keywords": lambda: torch.export.load(EXAMPLES / "keywords" / "keywords.pt2").module(),
}
# XNNPACKQuantizer fails at a GRU as exported programs have it: left to itself, it stays in floats.
STATIC = xnnpack.XNNPACKQuantizer.STATIC_OPS
xnnpack.XNNPACKQuantizer.STATIC_OPS = [each for each in STATIC if each != "gru_io_only"]
STATES = {"activity": 24}  # numbers that a run leaves to the next: a network's second input and output
QUANTIZERS = {
    "x86": lambda: x86.X86InductorQuantizer().set_global(x86.get_default_x86_inductor_quantization_config()),
    "xnnpack": lambda: xnnpack.XNNPACKQuantizer().set_global(
        xnnpack.get_symmetric_quantization_config(is_per_channel=True)
    ),
}


def answers(net, samples, state):
    """Return the answers to samples, or to a stream of them if `state` numbers go from each to the next."""
    made, kept = [], torch.zeros(1, state)
    with torch.no_grad():
        for sample in torch.from_numpy(samples).split(1):
            answer, kept = net(sample, kept) if state else (net(sample), kept)
            made.append(answer)
    return torch.cat(made).numpy()


def main():
    torch.set_num_threads(1)  # so that sums are added in the same order every time
    written = ROOT / "tools" / "accuracy_pt2e.json"
    found = json.loads(written.read_text(encoding="utf-8"))
    for name in sys.argv[2:] or NETWORKS:
        samples, net = np.load(Path(sys.argv[1]) / f"{name}.npz"), NETWORKS[name]()
        state = STATES.get(name, 0)
        floats, found[name] = answers(net, samples["x"], state), {}
        example = (torch.from_numpy(samples["calibration"][:1]), *[torch.zeros(1, state)] * bool(state))
        for quantizer, chosen in QUANTIZERS.items():
            prepared = prepare_pt2e(torch.export.export(net, example).module(), chosen())
            answers(prepared, samples["calibration"], state)
            converted = convert_pt2e(prepared)
            made = answers(converted, samples["x"], state)
            right = int((made.argmax(1) == samples["labels"]).sum())
            found[name][quantizer] = right, round(float(np.sqrt(np.square(made - floats).mean())), 5)
            nodes = [str(node.target) for node in converted.graph.nodes if node.op == "call_function"]
            print(name, quantizer, right, found[name][quantizer][1], sorted(set(nodes)), flush=True)
    written.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
