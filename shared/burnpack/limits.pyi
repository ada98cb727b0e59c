VIEW_REACH: int
METADATA: int
TENSORS: int
DEPTH: int
TENSOR: int
FILE: int

class Limits:
    metadata: int
    tensors: int
    depth: int
    tensor: int
    file: int
    def __init__(
        self,
        metadata: int | None = None,
        tensors: int | None = None,
        depth: int | None = None,
        tensor: int | None = None,
        file: int | None = None,
    ) -> None: ...
