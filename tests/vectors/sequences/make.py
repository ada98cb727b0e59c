"""Make expected.json, state.safetensors, answers.safetensors: what PyTorch's layers of sequences answer.

    python tests/vectors/sequences/make.py        needs torch and safetensors

expected.json: a list of cases, each with its name, the layer of burnrt.nn, its arguments and keywords, and
whether it is attention. state.safetensors: the `state_dict()` of one module with all the layers.
answers.safetensors: what goes in and what comes out, computed in 64-bit floats. For each recurrent case

    <name>.input, <name>.output                               from no state
    <name>.first_hidden, <name>.first_cell, <name>.continued  the output from that state
    <name>.hidden, <name>.cell                                the state after it; cells of LSTMs only

with [batch, size] for a state, [2, batch, size] for both directions. For each case of attention

    <name>.query, <name>.key, <name>.value                    those that are given
    <name>.mask_pad, <name>.mask_attn                         where not to look: 1
    <name>.output, <name>.weights                             [batch, heads, queries, keys]
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).parent

# name, layer of burnrt.nn, arguments, keywords, shape of the input
RECURRENT = [
    ("lstm", "Lstm", [3, 5], {}, [4, 2, 3]),
    ("lstm_batch_first", "Lstm", [4, 3], {"batch_first": True}, [3, 5, 4]),
    ("lstm_one_sample", "Lstm", [2, 3], {"bias": False}, [6, 2]),
    ("lstm_one_step", "Lstm", [1, 1], {}, [1, 1, 1]),
    ("gru", "Gru", [3, 5], {}, [4, 2, 3]),
    ("gru_batch_first", "Gru", [2, 4], {"batch_first": True, "bias": False}, [2, 3, 2]),
    ("gru_one_sample", "Gru", [5, 2], {}, [7, 5]),
    ("rnn", "Rnn", [3, 5], {}, [4, 2, 3]),
    ("rnn_relu", "Rnn", [2, 6], {"nonlinearity": "relu", "batch_first": True}, [2, 4, 2]),
    ("lstm_both_ways", "BiLstm", [3, 2], {}, [4, 3, 3]),
    ("gru_both_ways", "BiGru", [2, 3], {"batch_first": True}, [2, 5, 2]),
    ("rnn_both_ways", "BiRnn", [2, 3], {"bias": False}, [4, 2]),
]

# name, arguments, keywords, shapes of query, key and value where given, which masks
ATTENTION = [
    ("attention", [6, 2], {}, [[5, 2, 6]], ()),
    ("attention_one_sample", [4, 4], {"bias": False}, [[3, 4]], ()),
    ("attention_keys", [8, 2], {"batch_first": True}, [[2, 3, 8], [2, 6, 8]], ()),
    ("attention_values", [6, 1], {}, [[4, 2, 6], [5, 2, 6], [5, 2, 6]], ()),
    ("attention_padded", [6, 3], {"batch_first": True}, [[2, 3, 6], [2, 5, 6], [2, 5, 6]], ("pad",)),
    ("attention_causal", [4, 2], {}, [[5, 2, 4]], ("causal",)),
    ("attention_both_masks", [4, 2], {"batch_first": True}, [[3, 4, 4]], ("pad", "attn")),
]


def torch_layer(name, arguments, keywords):
    both_ways = name.startswith("Bi")
    layer = getattr(nn, name.removeprefix("Bi").upper())
    return layer(*arguments, **keywords, bidirectional=both_ways)


def recurrent(name, layer, shape, tensors):
    given = torch.randn(shape)
    batch = [] if len(shape) == 2 else [shape[0 if layer.batch_first else 1]]
    states = [2 if layer.bidirectional else 1, *batch, layer.hidden_size]
    count = 2 if isinstance(layer, nn.LSTM) else 1
    first = [torch.randn(states) for _ in range(count)]
    layer.double()
    output = layer(given.double())[0]
    beginning = [state.double() for state in first]
    continued, last = layer(given.double(), tuple(beginning) if count == 2 else beginning[0])
    last = last if count == 2 else [last]
    layer.float()
    tensors |= {name + ".input": given, name + ".output": output, name + ".continued": continued}
    shape = [-1, layer.hidden_size] if not layer.bidirectional else [2, -1, layer.hidden_size]
    for part, before, after in zip(("hidden", "cell"), first, last, strict=False):
        tensors |= {f"{name}.first_{part}": before.reshape(shape), f"{name}.{part}": after.reshape(shape)}


def masks_of(kinds, batch, queries, keys):
    """Return (mask_pad, mask_attn); nobody is left without anything to look at."""
    pad = attn = None
    if "pad" in kinds:
        pad = torch.arange(keys) >= torch.randint(1, keys, (batch, 1))
    if "causal" in kinds:
        attn = torch.ones(queries, keys, dtype=torch.bool).triu(1)
    if "attn" in kinds:
        attn = torch.rand(batch, queries, keys) < 0.4
        attn[:, :, 0] = False
    return pad, attn


def attention(name, layer, shapes, kinds, tensors):
    given = [torch.randn(shape) for shape in shapes]
    tensors |= {
        f"{name}.{part}": value for part, value in zip(("query", "key", "value"), given, strict=False)
    }
    inputs = [value.double() for value in given + given[-1:] * (3 - len(given))]
    lengths = [value.shape[1 if layer.batch_first else 0] for value in inputs]
    batch = 1 if given[0].dim() == 2 else given[0].shape[0 if layer.batch_first else 1]
    pad, attn = masks_of(kinds, batch, lengths[0], lengths[1])
    whole = attn if attn is None or attn.dim() == 2 else attn.repeat_interleave(layer.num_heads, 0)
    masks = {"key_padding_mask": pad, "attn_mask": whole, "average_attn_weights": False}
    output, weights = layer.double()(*inputs, **masks)
    layer.float()
    tensors |= {name + ".output": output, name + ".weights": weights.reshape(batch, -1, *lengths[:2])}
    tensors |= {
        f"{name}.mask_{part}": mask for part, mask in (("pad", pad), ("attn", attn)) if mask is not None
    }


def main():
    torch.manual_seed(7)
    layers, cases, tensors = nn.ModuleDict(), [], {}
    for name, layer, arguments, keywords, _ in RECURRENT:
        layers[name] = torch_layer(layer, arguments, keywords)
        cases.append({"name": name, "layer": layer, "arguments": arguments, "keywords": keywords})
    for name, arguments, keywords, _, _ in ATTENTION:
        layers[name] = nn.MultiheadAttention(*arguments, **keywords)
        found = {"name": name, "layer": "MultiHeadAttention", "arguments": arguments, "keywords": keywords}
        cases.append(found | {"attention": True})
    for parameter in layers.parameters():
        nn.init.normal_(parameter, 0.0, 0.7)
    with torch.no_grad():
        for name, _, _, _, shape in RECURRENT:
            recurrent(name, layers[name], shape, tensors)
        for name, _, _, shapes, kinds in ATTENTION:
            attention(name, layers[name], shapes, kinds, tensors)
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / "expected.json").write_text("[\n%s\n]\n" % lines, encoding="utf-8")
    save_file(layers.state_dict(), HERE / "state.safetensors")
    save_file(
        {name: tensor.float().contiguous() for name, tensor in tensors.items()}, HERE / "answers.safetensors"
    )


if __name__ == "__main__":
    main()
