from typing import Any

from burnpack import module
from burnpack.dtype import _Shape
from burnpack.module import Param as Param
from burnrt.plan import Plan

class Module(module.Module):
    def children(self) -> list[tuple[str, Any]]: ...
    def plan(self, shape: _Shape, arena: Any = None) -> Plan: ...
