from typing import Any

from burnpack.cbor import Cursor
from burnpack.qfloat import QFloat

def parse_scheme(cursor: Cursor) -> tuple[QFloat, int]: ...
def scheme_value(scheme: QFloat) -> list[tuple[str, Any]]: ...
