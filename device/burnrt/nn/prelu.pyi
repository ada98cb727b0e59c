from burnpack.module import Param
from burnrt.nn.layer import Declared

class PRelu(Declared):
    alpha: Param
    init: float
    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None: ...
