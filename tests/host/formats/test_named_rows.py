"""A checkpoint of PyTorch's whose Sequential was given names by an OrderedDict."""

import numpy as np

from burnstore import open_model
from burnstore.cli import commands
from kit import support

MODEL = """
from collections import OrderedDict

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(OrderedDict(conv0=nn.Conv2d(1, 4, 3), norm0=nn.BatchNorm2d(4)))
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.features(x).reshape(1, -1))
"""
NAMES = """features.conv0.bias features.conv0.weight features.norm0.beta features.norm0.gamma
    features.norm0.running_mean features.norm0.running_var fc.bias fc.weight"""


def test_all_of_its_parameters_are_converted_by_their_names(tmp_path):
    model, target = tmp_path / "model.py", tmp_path / "named.bpk"
    model.write_text(MODEL.replace("from torch import nn", "from burnrt import nn"), encoding="utf-8")
    source = support.data("reports/sequential_of_named_layers.pt")
    words = ["convert", str(source), str(target), "--module", f"{model}:Net"]
    commands.main(words, standalone_mode=False)
    with open_model(target) as written, open_model(source) as given:
        assert sorted(written.names()) == sorted(NAMES.split())
        conv = "features.conv0.weight"
        np.testing.assert_array_equal(written.array(conv), given.array(conv))
