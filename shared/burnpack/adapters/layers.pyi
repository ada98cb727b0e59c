NORMS: tuple[str, ...]
HALVED: tuple[str, ...]
STACKED: tuple[str, ...]
LAYERS: tuple[str, ...]
RENAMED: tuple[tuple[str, str, str], ...]

def other_name(name: str, module_type: str | None, here: int, there: int) -> str | None: ...
