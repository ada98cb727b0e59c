"""Directives of the pages in docs/: what is public, and what each command says of itself."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.docs.commands import helps
from tools.docs.entries import page


class PublicNames(SphinxDirective):
    """List a module's public names, or those that the lines of the block name."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the nodes of a table and of the entries."""
        return self.parse_text_to_nodes(page(self.arguments[0], list(self.content)))


class CommandHelp(SphinxDirective):
    """Show what each command prints with `--help`."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each command."""
        return self.parse_text_to_nodes(helps(), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directives."""
    app.add_directive("public-names", PublicNames)
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
