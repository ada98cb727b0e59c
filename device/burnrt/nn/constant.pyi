from burnrt.kernels import Numbers

def with_constants(
    numbers: tuple[Numbers | None, Numbers | None], channels: int
) -> tuple[Numbers, Numbers]: ...
