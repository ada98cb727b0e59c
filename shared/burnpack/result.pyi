class ApplyResult:
    applied: list[str]
    skipped: list[str]
    missing: list[tuple[str, tuple[str, ...]]]
    unused: list[str]
    errors: list[tuple[str, str, str | None, str]]
    notes: list[str]
    from_pytorch: bool
    def fail(
        self, kind: str, path: str, expected: str | None, found: str, containers: tuple[str, ...] = ()
    ) -> None: ...
    def places(self) -> list[tuple[str, tuple[str, ...]]]: ...
    def is_success(self) -> bool: ...
