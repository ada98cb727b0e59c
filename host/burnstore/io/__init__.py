"""Files on this computer: opened by what is in them, mapped, and replaced whole or not at all.

files       mapping a file; replacing one, or several that belong together
opened      a checkpoint of any format
sniff foreign folders   which format it has, what is not read, which file of a folder is meant
container   what every opened checkpoint offers; `facts` tells it as plain values
fast_index fast_header   the indexes at C speed, and `entries`, what they tell, kept in memory
writer      a Burnpack written into buffers and files, as Burn's Writer does
npy npz     numpy's files, without pickles
shards      checkpoints in several files
collection  not collecting garbage while very many small objects are made
"""
