"""The site that `make docs` builds: complete, without broken links, and of no need of a network."""

import socket
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from sphinx.util.inventory import InventoryFile

from burnstore.cli import COMMANDS
from tools.docs.__main__ import build
from tools.docs.links import findings
from tools.docs.references import listings

# Of Sphinx's own, to those who extend it.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")


def refuse(*_):
    raise AssertionError("a network is asked")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site, where there is no network."""
    folder = tmp_path_factory.mktemp("site") / "docs"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket, "getaddrinfo", refuse)
        assert build(folder) == 0
    return folder


def text(page):
    return page.read_text(encoding="utf-8")


def test_the_site_is_built_without_a_network_and_every_link_in_it_leads_somewhere(site):
    assert findings(site) == []
    assert (site / "index.html").is_file()


def test_every_document_is_a_page_of_the_site(site):
    root = Path(__file__).parents[3]
    documents = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    pages = [site / document.relative_to(root).with_suffix(".html") for document in documents]
    assert len(pages) > 10 and [page for page in pages if not page.is_file()] == []


def test_every_public_name_has_an_entry_to_which_others_can_link(site):
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    entries = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    assert [one.path for one in listings() if one.path not in entries] == []
    assert "burnrt.nn.GELU" in entries and "burnstore.OpenedFile.array" in entries


def test_signatures_say_types_and_lead_to_their_entries(site):
    page = text(site / "docs" / "api" / "burnstore.html")
    signature = page.partition('id="burnstore.open"')[2].partition("</dt>")[0]
    assert '<span class="n"><span class="pre">path</span></span>' in signature
    assert 'href="burnpack.html#burnpack.Limits"' in signature


def test_every_command_shows_its_help(site):
    page = text(site / "docs" / "cli.html")
    for name in COMMANDS:
        assert f'id="burnstore-{name}"' in page
        assert f"Usage: burnstore {name} [OPTIONS]" in page


def test_the_search_reads_its_index_as_a_script_which_a_file_may_load(site):
    assert text(site / "searchindex.js").startswith("Search.setIndex(")
    assert "searchindex.js" in text(site / "search.html")


@pytest.mark.parametrize(
    "link",
    [
        "[a](absent.md)",
        "[a](other.md#absent)",
        "[a](#absent)",
        "[a](../absent.py)",
        "{py:obj}`burnpack.absent`",
    ],
)
def test_a_document_with_a_broken_link_is_refused(link, tmp_path, capsys):
    docs = tmp_path / "source" / "docs"
    docs.mkdir(parents=True)
    (docs / "other.md").write_text("# Other\n")
    (docs / "index.md").write_text(f"# A\n\n{link}\n\n```{{toctree}}\nother\n```\n")
    assert build(tmp_path / "site", tmp_path / "source") != 0
    assert "absent" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tag", "broken"),
    [
        ('<a href="other.html">', False),
        ('<a href="other.html#there">', False),
        ('<a href="#here">', False),
        ('<a href="https://burn.dev">', False),
        ('<a href="absent.html">', True),
        ('<a href="other.html#absent">', True),
        ('<a href="#absent">', True),
        ('<script src="https://cdn.example/a.js">', True),
        ('<link rel="stylesheet" href="//cdn.example/a.css">', True),
        ('<img src="absent.png">', True),
    ],
)
def test_a_page_is_refused_for_a_link_that_leads_nowhere_and_for_what_it_loads_from_elsewhere(
    tag, broken, tmp_path
):
    (tmp_path / "index.html").write_text(f'<p id="here">{tag}')
    (tmp_path / "other.html").write_text('<p id="there">')
    assert len(findings(tmp_path)) == broken
