from burnpack.container import Container
from burnpack.module import Module
from burnrt.value import Value

INPUT: str
OUTPUT: str
TOLERANCE: str
DEFAULT_TOLERANCE: float

class Verdict:
    cases: int
    worst: float
    tolerance: float
    passed: bool
    def __init__(self, cases: int, worst: float, tolerance: float) -> None: ...

def run(model: Module, container: Container) -> Verdict: ...
def values(answer: object) -> list[Value]: ...
def deviation(found: float, wanted: float) -> float: ...
