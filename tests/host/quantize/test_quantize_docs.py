"""What docs/quantizing.md shows runs, and prints what it says."""

import re
import shlex
import shutil
from pathlib import Path

from burnstore.cli import commands
from burnstore.graph.layers import _ALIASES, _LAST, INTEGERS
from kit import support

DOCUMENT = "docs/quantizing.md"
ELSE = "..."  # stands for lines that are not shown


def test_what_is_shown_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("digits.pt", "digits.pt2", "model.py", "test_images.safetensors"):
        shutil.copy(support.path("examples/digits/" + name), tmp_path)
    text = Path(support.path(DOCUMENT)).read_text(encoding="utf-8")
    namespace, printed = {"__name__": "shown"}, []
    for kind, block in re.findall(r"^```(python|console)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if kind == "python":
            exec(compile(block, DOCUMENT, "exec"), namespace)
            printed += capsys.readouterr().out.split()
            continue
        for part in ("\n" + block).split("\n$ burnstore ")[1:]:
            words, *shown = part.rstrip().splitlines()
            commands.main(shlex.split(words), standalone_mode=False)
            said = capsys.readouterr().out.splitlines()
            assert not [line for line in shown if line not in (ELSE, "", *said)], said
    assert printed == ["7", "7"]


def test_every_layer_and_option_is_named():
    text = Path(support.path(DOCUMENT)).read_text(encoding="utf-8")
    table = text.partition("## What is supported")[2]
    for layer in (*INTEGERS, *_ALIASES, _LAST):
        assert re.search(r"\b%s\b" % layer, table, re.IGNORECASE), layer
    shown = [commands.get_command(None, name) for name in ("quantize", "deploy", "fit", "verify")]
    parameters = [parameter for command in shown for parameter in command.params]
    options = {option for each in parameters for option in (*each.opts, *each.secondary_opts)}
    named = set(re.findall(r"(--[a-z][a-z0-9-]*)", text))
    assert {"--percentile", "--per", "--input", "--labels", "--json", "--report"} <= named <= options
