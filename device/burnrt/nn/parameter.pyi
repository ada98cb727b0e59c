from burnpack.module import Param

class Parameter(Param):
    def __init__(self, data: object = None, requires_grad: bool = True) -> None: ...
