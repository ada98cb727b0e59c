"""`python -m burnstore`: the command line."""

from burnstore.cli import main

main()
