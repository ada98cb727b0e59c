"""What maintainers run: checks, interpreters, benchmarks."""
