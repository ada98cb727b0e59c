"""Modules and lines of Python, however releases of PyTorch write them."""

import pytest

from burnpack.errors import Malformed
from burnstore.exported.graph import Place
from burnstore.exported.places import module_path, parse_places, source_line
from kit import support

PATHS = {
    "": "",
    "gru": "gru",
    "blocks.0.conv": "blocks.0.conv",
    "relu@2": "relu",
    "L['self']": "",
    "L['s'].gru": "gru",
    "getattr(L['s'].d1, '0')": "d1.0",
    "getattr(getattr(L['self'].layers, '3').attention, 'self').query": "layers.3.attention.self.query",
    "L['self'].layers[0].fc": "layers.0.fc",
    "L['self']._modules['layers']._modules['0']": "layers.0",
    "L['fn']._orig_mod.fc": "fc",
    "_orig_mod.blocks.1": "blocks.1",
}


@pytest.mark.parametrize(("text", "path"), PATHS.items())
def test_a_path_is_the_same_however_it_is_written(text, path):
    assert module_path(text) == path


@pytest.mark.parametrize(
    "text", ["L[", "L['s'].a + 1", "L['s'](2)", "getattr(x, 'y')", "L['s']" + ".a" * 9000, "L['\\x00'].a"]
)
def test_a_path_that_is_not_understood_is_refused(text):
    assert "not understood" in str(support.raises(Malformed, module_path, text))


def test_a_stack_of_modules_is_read_outermost_first():
    text = "L__self__,,a.Net;L__s___d1_0,getattr(L['s'].d1, '0'),b.Conv;k_x,y@1,d.x,y,c.<locals>.ReLU"
    places = (Place("", "a.Net"), Place("d1.0", "b.Conv"), Place("d.x,y", "c.<locals>.ReLU"))
    assert parse_places(text, {}) == places
    empty = "_empty_nn_module_stack_from_metadata_hook"
    assert parse_places("", {}) == parse_places(",".join([empty] * 3), {}) == ()
    assert "key,path,class" in str(support.raises(Malformed, parse_places, "a,b", {}))


CONV = (Place("", "net.Net"), Place("c", "torch.nn.modules.conv.Conv2d"))
FRAMES = (
    'File "/home/me/net.py", line 9, in forward\n    return self.c(x)\n'
    '  File "%s", line 385, in forward\n    return F.conv2d(x)'
)


@pytest.mark.parametrize("file", ["/x/site-packages/torch/nn/conv.py", "C:\\torch\\nn\\c.py", "conv.py"])
def test_the_line_is_the_innermost_that_is_not_pytorchs_own(file):
    assert source_line(FRAMES % file, CONV) == "net.py:9: return self.c(x)"


def test_the_line_of_a_helper_is_taken_and_none_where_none_is_known():
    assert source_line(FRAMES % "/home/me/help.py", CONV) == "help.py:385: return F.conv2d(x)"
    assert source_line(FRAMES % "<eval_with_key>.3", CONV) == "net.py:9: return self.c(x)"
    assert source_line("", CONV) == source_line("no frames", ()) == ""
