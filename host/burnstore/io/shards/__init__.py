"""A checkpoint in several files, with an index that says which tensor is in which.

index   the index: model.safetensors.index.json
reader  all files as one container
plan    which tensor goes into which file, and what the files are called
writer  writing them so that there is the old model or the new one, and never a part of each
"""
