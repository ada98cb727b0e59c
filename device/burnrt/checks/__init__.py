"""What refuses a program before a kernel runs: see `program`."""
