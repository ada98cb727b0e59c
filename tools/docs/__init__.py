"""The documentation's site: the Markdown of this repository and two kinds of generated pages.

    python -m tools.docs            # into build/docs

`sources` finds what is public, `docstrings` turns docstrings into Markdown, `entries` writes an entry for
each public name, `commands` one for each command. `conf` and `directives` are what Sphinx reads, `links`
checks the pages that it made.
"""
