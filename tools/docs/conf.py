"""What Sphinx is told of the site: its pages are the Markdown files of this repository, where they are."""

from burnpack.version import VERSION

project = "burnstore"
author = "the maintainers of burnstore"
release = VERSION
extensions = ["myst_parser", "tools.docs.directives"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**", "examples/**/*.md", "tools/**/*.md"]
exclude_patterns = [".*", "build", "dist", "**/node_modules", "tests"]
source_suffix = {".md": "markdown"}
suppress_warnings = ["toc.not_included"]  # a page that others link to need not be in the contents

myst_heading_anchors = 6  # as deep as there are headings, by GitHub's rule
highlight_language = "text"
add_module_names = True
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

# What one of our packages is said to have must have an entry; Python and others have theirs elsewhere.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!(burnpack|burnrt|burnstore)\b).*")]

html_theme = "alabaster"
html_title = f"burnstore {VERSION}"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_additional_pages = {"index": "index.html"}
templates_path = ["templates"]
