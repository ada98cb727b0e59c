"""Roads into a board's flash: what a firmware build, a ROMFS partition and a file system take."""
