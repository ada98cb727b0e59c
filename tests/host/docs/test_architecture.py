"""ARCHITECTURE.md is true: what it names is there, and what is there it names."""

import re

import pytest

from tools.check_imports import CIRCLES, PACKAGES, ROOT

TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
WHERE = TEXT.partition("## Where to change what")[2].partition("\n## ")[0]
HOST = TEXT.partition("## host/burnstore")[2].partition("\n## ")[0]
SHARED = TEXT.partition("## shared/burnpack")[2].partition("\n## ")[0]
DEVICE = TEXT.partition("## device/burnrt")[2].partition("\n## ")[0]
PATH = re.compile(r"`([\w./-]*/[\w./-]*)`")
ROOTED = re.compile(r"`((?:shared|host|device|tests|tools)/[\w./-]+)`")
NAME = re.compile(r"`([\w/]+)`")
# What has no line of its own: types, versions, and what packages are made of.
UNNAMED = {"__init__", "__pycache__", "types", "version", "py"}


def names_in(text):
    return {part for name in NAME.findall(text) for part in name.split("/")}


@pytest.mark.parametrize("path", sorted(set(PATH.findall(WHERE))))
def test_the_places_to_change_are_there(path):
    assert any((ROOT / base / path).exists() for base in (".", "host/burnstore", "device/burnrt"))


@pytest.mark.parametrize("path", sorted(set(ROOTED.findall(TEXT))))
def test_every_path_is_there(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize(
    "folder, text", [("shared/burnpack", SHARED), ("device/burnrt", DEVICE), ("host/burnstore", HOST)]
)
def test_every_part_of_a_package_has_its_job_said(folder, text):
    parts = {path.name.partition(".")[0] for path in (ROOT / folder).iterdir()}
    assert parts - UNNAMED - {"__main__"} <= names_in(text)


def test_the_arrows_are_those_that_imports_are_held_to():
    assert "`burnstore → burnpack ← burnrt`" in TEXT
    assert PACKAGES["burnpack"][1] == {"burnpack"}
    assert PACKAGES["burnrt"][1] == {"burnpack", "burnrt"}
    assert PACKAGES["burnstore"][1] == {"burnpack", "burnstore"}
    assert CIRCLES and "`CIRCLES`" in TEXT
