VIEW_REACH: int
METADATA: int
TENSORS: int
DEPTH: int
TENSOR: int
FILE: int
EXPANSION: int

class Limits:
    metadata: int
    tensors: int
    depth: int
    tensor: int
    file: int
    expansion: int
    def __init__(
        self,
        metadata: int | None = None,
        tensors: int | None = None,
        depth: int | None = None,
        tensor: int | None = None,
        file: int | None = None,
        expansion: int | None = None,
    ) -> None: ...
