"""Operations as those that a module's code calls: the core ones, and those that write into a value."""

from collections.abc import Callable
from dataclasses import replace

from burnpack.errors import Unsupported
from burnstore.exported.graph import Argument, Graph, Node, Ref, read_by

_LINEAR, _MATMUL = "aten.linear.default", "aten.matmul.default"

# Operations that are others under another name, with these arguments of theirs, as in "new=old".
_RENAMED = """
_adaptive_avg_pool2d.default adaptive_avg_pool2d.default self output_size
_log_softmax.default log_softmax.int self dim
_softmax.default softmax.int self dim
_native_batch_norm_legit.no_stats instance_norm.default input weight bias eps of_batch=training
_scaled_dot_product_flash_attention_for_cpu.default scaled_dot_product_attention.default
 query key value dropout_p is_causal attn_mask scale
_to_copy.default to.dtype self dtype
constant_pad_nd.default pad.default self pad value
fill.Tensor expand_as.default self=value other=self
copy.default expand_as.default self=src other=self
max_pool2d_with_indices.default max_pool2d.default self kernel_size stride padding dilation ceil_mode
native_dropout.default dropout.default input train
native_group_norm.default group_norm.default input weight bias eps num_groups=group
native_layer_norm.default layer_norm.default input normalized_shape weight bias eps
_fused_rms_norm.default rms_norm.default input normalized_shape weight eps
_native_batch_norm_legit_no_training.default batch_norm.default input weight bias running_mean running_var eps
to.device to.dtype self dtype
to.dtype_layout to.dtype self dtype
upsample_nearest1d.vec upsample_nearest2d.vec input output_size scale_factors
upsample_linear1d.vec upsample_bilinear2d.vec input output_size scale_factors align_corners
"""


def with_core(graph: Graph) -> list[Node]:
    """Return the nodes, each core operation replaced. Raises `Unsupported` for indices that are used."""
    turned, read = _turned(graph), read_by(graph.nodes, graph.outputs)
    return [_replaced(graph, node, turned, read) for node in graph.nodes]


def _replaced(graph: Graph, node: Node, turned: dict[str, Ref], read: set[str]) -> Node:
    node = replace(node, operation=_pure(node.operation))
    name = node.operation.removeprefix("aten.")
    if name in _TABLE:
        found = _TABLE[name](node)
        _check_unread(node, found, read)
        return found
    if name == "convolution.default":
        return _convolution(graph, node)
    if name in ("addmm.default", "mm.default", "bmm.default", "baddbmm.default"):
        return _product(node, turned)
    return node


def _pure(operation: str) -> str:
    """Return the operation that makes what another writes into its first argument, as "relu" for "relu_".

    Who reads a value that was written into, is given what was made.
    """
    space, _, rest = operation.partition(".")
    base, _, overload = rest.partition(".")
    writes = space == "aten" and base.endswith("_") and not base.startswith("_")
    return f"{space}.{base[:-1]}.{overload}" if writes else operation


def _renaming(line: str) -> tuple[str, Callable[[Node], Node]]:
    old, new, *names = line.split()
    pairs = [(name.split("=") * 2)[:2] for name in names]

    def rename(node: Node) -> Node:
        arguments = {key: node.arguments[given] for key, given in pairs if given in node.arguments}
        return replace(node, operation="aten." + new, arguments=arguments, outputs=node.outputs[:1])

    return old, rename


_TABLE = dict(_renaming(line) for line in _RENAMED.replace("\n ", " ").strip().split("\n"))


def _check_unread(node: Node, found: Node, read: set[str]) -> None:
    """Refuse an operation of whose answers one is read that is not made."""
    if not read.isdisjoint(node.outputs[len(found.outputs) :]):
        raise Unsupported("only the first of its answers is computed", node.name, found=node.operation)


def _convolution(graph: Graph, node: Node) -> Node:
    given = dict(node.arguments)
    transposed, added = given.pop("transposed", False), given.pop("output_padding", ())
    weight = given["weight"]
    assert isinstance(weight, Ref)
    rank = len(graph.specs[weight.name].shape) - 2
    if not transposed:
        return replace(node, operation=f"aten.conv{rank}d.default", arguments=given)
    overload = "default" if rank == 1 else "input"
    return replace(
        node,
        operation=f"aten.conv_transpose{rank}d.{overload}",
        arguments={**given, "output_padding": added},
    )


def _turned(graph: Graph) -> dict[str, Ref]:
    """Return of each value that is a matrix of parameters turned over, the parameter."""
    found = {}
    for node in graph.nodes:
        name, given = node.operation, node.arguments.get("self")
        is_turn = name in ("aten.t.default", "aten.numpy_T.default")
        is_turn |= name == "aten.permute.default" and node.arguments.get("dims") == (1, 0)
        is_turn |= name == "aten.transpose.int" and {node.arguments.get(k) for k in ("dim0", "dim1")} in (
            {0, 1},
            {-2, -1},
        )
        if is_turn and isinstance(given, Ref) and given.name in graph.parameters:
            found[node.outputs[0]] = given
    return found


def _product(node: Node, turned: dict[str, Ref]) -> Node:
    """Return a product of matrices as what it is: a Linear where one is a parameter, turned over."""
    given = node.arguments
    bias = given.get("self") if "addmm" in node.operation or "baddbmm" in node.operation else None
    first, second = (given[key] for key in _FACTORS[node.operation])
    if any(given.get(key, 1) != 1 for key in ("alpha", "beta")):
        return node
    if isinstance(second, Ref) and second.name in turned:
        arguments: dict[str, Argument] = {"input": first, "weight": turned[second.name], "bias": bias}
        return replace(node, operation=_LINEAR, arguments=arguments)
    if bias is not None:
        return node
    return replace(node, operation=_MATMUL, arguments={"self": first, "other": second})


_FACTORS = {
    "aten.addmm.default": ("mat1", "mat2"),
    "aten.baddbmm.default": ("batch1", "batch2"),
    "aten.mm.default": ("self", "mat2"),
    "aten.bmm.default": ("self", "mat2"),
}

# All core operations that are replaced.
CORE = frozenset({f"aten.{name}" for name in _TABLE} | {"aten.convolution.default", *_FACTORS})
