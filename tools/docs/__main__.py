"""Makes the site.

    python -m tools.docs [FOLDER]     # build/docs, where none is given

What Sphinx warns of, such as a link to a heading that is not there, is an error.
"""

import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from tools.check_imports import ROOT
from tools.docs.links import findings


def build(folder: Path, source: Path = ROOT, settings: Path = Path(__file__).parent) -> int:
    """Make the site of the Markdown in `source`, from nothing; return an exit code."""
    options = ["--quiet", "--fail-on-warning", "--fresh-env", "--write-all", "--conf-dir", str(settings)]
    code = build_main([*options, "--doctree-dir", f"{folder}.doctrees", str(source), str(folder)])
    broken = [] if code else findings(folder)
    for line in broken:
        print(f"a link that leads nowhere: {line}", file=sys.stderr)
    return code or bool(broken)


def main() -> int:
    """Make the site and say where it is."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "docs"
    code = build(folder)
    if not code:
        print(f"the site begins at {folder / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
