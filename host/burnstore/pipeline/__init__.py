"""What stores and conversions do with tensors, in one order, as functions of `Options`.

    source → top-level key → folded → names → filter → adapter → layout → writer

options     what is asked for: a store or a conversion is a way to say it
selecting   from a source to the tensors that are meant, under the names that are asked for
top_level   under which key of a PyTorch checkpoint the weights are; `trainers` what is beside them
layouts     Burn's and PyTorch's names and layouts: which one a file has, and the adapter from one to another
loading     into a module
collecting  out of a module
networks    the program and the self-test of a file that says itself what it computes
conversion  from a file into a file, planned before anything is written
writing     one file or several, whole or not at all

Every step takes and gives `Tensor`s, whose bytes are read when a writer's or a module's turn comes for them.
"""
