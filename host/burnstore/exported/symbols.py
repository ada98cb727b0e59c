"""Extents that an exported program leaves open, and the numbers that are taken for them."""

from burnpack.errors import Unsupported
from burnstore.exported.items import Item


class Symbols:
    """The open extents of a program. values: by their names, the numbers that are taken."""

    def __init__(self, values: dict[str, int]) -> None:
        self.values = values

    def extent(self, item: Item) -> int:
        """Return an integer that may be written as an expression of open extents."""
        key, found = item.union()
        if key == "as_int":
            return found.integer()
        if key != "as_expr":
            raise Unsupported("an extent of a kind that is not known here", item.place, found=key)
        raise Unsupported("an open extent", item.place, found=found.field("expr_str").text())
