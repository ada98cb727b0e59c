from typing import Any

from burnpack import module
from burnpack.dtype import _Shape
from burnrt.plan import Plan

class Enum(module.Enum):
    def plan(self, shape: _Shape, arena: Any = None) -> Plan: ...
