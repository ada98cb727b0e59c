"""Make state.safetensors and answers.safetensors: layers of which PyTorch stacks the parameters.

    python tests/vectors/stacked/make.py        needs torch and safetensors

state.safetensors: the `state_dict()` of one module with all the layers. answers.safetensors: for each layer
`<name>.input` [steps, batch, features] and `<name>.output`, what it answers, computed in 64-bit floats.
"""

from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).parent
STEPS, BATCH = 5, 2

LAYERS = {
    "lstm": nn.LSTM(3, 4),
    "lstm_no_bias": nn.LSTM(3, 2, bias=False),
    "lstm_layers": nn.LSTM(3, 4, num_layers=2, bidirectional=True),
    "gru": nn.GRU(3, 4),
    "gru_both_ways": nn.GRU(2, 3, bidirectional=True),
    "rnn": nn.RNN(3, 4),
    "attention": nn.MultiheadAttention(6, 2),
    "attention_no_bias": nn.MultiheadAttention(4, 4, bias=False),
}


def answer(layer, given):
    layer.double()
    output = layer(given, given, given)[0] if isinstance(layer, nn.MultiheadAttention) else layer(given)[0]
    layer.float()
    return output.float().contiguous()


def features(layer):
    return layer.embed_dim if isinstance(layer, nn.MultiheadAttention) else layer.input_size


def main():
    torch.manual_seed(5)
    model = nn.ModuleDict(LAYERS)
    for parameter in model.parameters():
        nn.init.normal_(parameter)
    answers = {}
    with torch.no_grad():
        for name, layer in LAYERS.items():
            given = torch.randn(STEPS, BATCH, features(layer))
            answers[name + ".input"] = given
            answers[name + ".output"] = answer(layer, given.double())
    save_file(model.state_dict(), HERE / "state.safetensors")
    save_file(answers, HERE / "answers.safetensors")


if __name__ == "__main__":
    main()
