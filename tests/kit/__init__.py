"""What tests share, by what it serves."""
