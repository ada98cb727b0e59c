"""Signatures, with annotations that lead to entries of the reference."""

import griffe

from tools.docs.references import entries


def signature(found: griffe.Object, name: str) -> str:
    """Return how a function, or a class, is called; the name alone of anything else."""
    if isinstance(found, griffe.Function):
        return _call(found, name, spelled(found.returns))
    if isinstance(found, griffe.Class):
        made = found.all_members.get("__init__")
        made = made.final_target if isinstance(made, griffe.Alias) else made
        return _call(made, name) if isinstance(made, griffe.Function) else f"{name}()"
    return name


def _call(function: griffe.Function, name: str, returns: str | None = None) -> str:
    is_bound = isinstance(function.parent, griffe.Class) and "staticmethod" not in function.labels
    parameters = [_spelled_out(parameter) for parameter in function.parameters][is_bound:]
    shown = griffe.Function(name, parameters=griffe.Parameters(*parameters), returns=returns or None)
    return shown.signature()


def _spelled_out(parameter: griffe.Parameter) -> griffe.Parameter:
    annotation = spelled(parameter.annotation) or None
    default = None if parameter.default is None else spelled(parameter.default)
    return griffe.Parameter(parameter.name, annotation=annotation, kind=parameter.kind, default=default)


def spelled(expression: str | griffe.Expr | None) -> str:
    """Return an annotation or a default, private names by what they stand for, "" for none."""
    if expression is None or isinstance(expression, str):
        return expression or ""
    return "".join([part if isinstance(part, str) else _name(part) for part in expression.iterate()])


def _name(part: griffe.Expr) -> str:
    """Return a name, or what stands for it: an alias of types, a private constant.

    Sphinx shows the last word of a path behind "~", and leads to its entry.
    """
    if not isinstance(part, griffe.ExprName):
        return str(part)
    found = meant(part)
    if isinstance(found, griffe.Attribute) and not isinstance(found.value, griffe.ExprCall):
        return spelled(found.value) or part.name
    path = "" if found is None else entries().get(found.path, "")
    return f"~{path}" if path else part.name


def meant(name: griffe.ExprName) -> griffe.Object | None:
    """Return what a name stands for where it is written; None for what none of our packages has."""
    if not isinstance(name.parent, griffe.Object):
        return None
    found = name.parent.module.members.get(name.name)
    try:
        return found.final_target if isinstance(found, griffe.Alias) else found
    except griffe.AliasResolutionError:
        return None
