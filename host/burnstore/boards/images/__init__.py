"""C modules, frozen modules and ROMFS images: a model in a firmware's flash."""
