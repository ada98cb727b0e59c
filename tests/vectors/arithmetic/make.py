"""Make cases.json and answers.safetensors: what PyTorch's arithmetic answers.

    python tests/vectors/arithmetic/make.py        needs torch and safetensors

cases.json: a list of cases, each with its `name`, the `expression`, in which F is `torch` here and
`burnrt.functional` in tests, and `inputs`, the names of what it reads. answers.safetensors: for each case
`<name>.<input>` and `<name>.output0`, `output1`...
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

HERE = Path(__file__).parent
EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    float("inf"),
    float("-inf"),
    float("nan"),
    2.5,
    -2.5,
    0.5,
    3.0,
    -3.0,
    88.5,
    7.0,
]

# What PyTorch has another function for, or asks for truths where we have numbers.
OTHER = {"where": lambda condition, a, b: torch.where(condition != 0, a, b)}

# expression, shapes of what it reads. p is positive, m is 0 or 1, e and f are EDGES.
CASES = [
    *[
        (f"{form} # {kind}", {"x": x, "y": y})
        for form in ("x + y", "x - y", "x * y", "x / y")
        for kind, x, y in (
            ("same", [2, 3, 4], [2, 3, 4]),
            ("last", [2, 3, 4], [4]),
            ("channels", [1, 3, 2, 4], [3, 1, 1]),
            ("each channel", [2, 3, 4], [2, 3, 1]),
            ("one", [2, 3], [1]),
            ("outer", [3, 1], [1, 4]),
            ("first", [4], [2, 3, 4]),
            ("apart", [2, 1, 3, 1], [3, 1, 4]),
        )
    ],
    *[
        (form, {"x": [2, 5]})
        for form in ("x + 2", "2 - x", "x - 0.5", "x * 3", "x / 4", "1 / x", "-x", "abs(x)")
    ],
    *[(f"x {sign} y", {"x": [2, 3], "y": [3]}) for sign in ("<", "<=", "==", "!=", ">=", ">", "%", "//")],
    *[(f"x {sign} 0.5", {"x": [2, 3]}) for sign in ("<", "<=", "==", "!=", ">=", ">", "%", "//")],
    ("p ** y", {"p": [2, 3], "y": [3]}),
    *[(f"p ** {power}", {"p": [2, 3]}) for power in ("2", "3", "0.5", "-1", "-0.5", "1", "0", "1.7")],
    ("2 ** x", {"x": [2, 3]}),
    ("(-3) ** e", {"e": None}),
    ("e ** 3", {"e": None}),
    ("x @ y", {"x": [2, 3], "y": [3, 5]}),
    ("F.add(x, y, alpha=2)", {"x": [2, 3], "y": [3]}),
    ("F.sub(x, y, alpha=0.5)", {"x": [2, 3], "y": [2, 3]}),
    ("F.rsub(x, 2, alpha=3)", {"x": [2, 3]}),
    ("F.div(x, y, rounding_mode='floor')", {"x": [2, 9], "y": [9]}),
    ("F.div(x, y, rounding_mode='trunc')", {"x": [2, 9], "y": [9]}),
    ("F.fmod(x, y)", {"x": [2, 3], "y": [3]}),
    ("F.square(x)", {"x": [2, 3]}),
    ("F.reciprocal(x)", {"x": [2, 3]}),
    *[(f"F.{name}(p)", {"p": [3, 4]}) for name in "sqrt rsqrt log log1p log2 log10".split()],
    *[(f"F.{name}(x)", {"x": [3, 4]}) for name in "abs exp exp2 expm1 sin cos tan erf sign neg frac".split()],
    *[(f"F.{name}(x * 3)", {"x": [3, 4]}) for name in "floor ceil round trunc".split()],
    *[(f"F.{name}(e)", {"e": None}) for name in "sqrt rsqrt exp expm1 log log1p sin cos tan erf abs".split()],
    *[(f"F.{name}(e)", {"e": None}) for name in "floor ceil round trunc sign isnan".split()],
    *[(f"F.{name}(x * 1e-4)", {"x": [3, 4]}) for name in "expm1 log1p erf".split()],
    *[
        (f"F.{name}(e, f)", {"e": [14, 1], "f": None})
        for name in "add mul div minimum maximum eq ne lt le gt ge remainder floor_divide".split()
    ],
    ("F.minimum(x, y)", {"x": [2, 3], "y": [2, 1]}),
    ("F.maximum(x, y)", {"x": [2, 3], "y": [2, 1]}),
    ("F.logical_and(e, f)", {"e": [14, 1], "f": None}),
    ("F.logical_or(e, f)", {"e": [14, 1], "f": None}),
    ("F.logical_xor(m, f)", {"m": [14, 1], "f": None}),
    ("F.logical_not(e)", {"e": None}),
    ("F.where(m, x, y)", {"m": [2, 3, 1], "x": [2, 3, 4], "y": [4]}),
    ("F.where(m, x, 0.5)", {"m": [2, 3], "x": [2, 3]}),
    ("F.where(m, 1.0, x)", {"m": [3, 1], "x": [4]}),
    ("F.clamp(x, -1, 1)", {"x": [3, 4]}),
    ("F.clamp(x, min=0)", {"x": [3, 4]}),
    ("F.clamp(x, max=0.5)", {"x": [3, 4]}),
    ("F.clamp(x, 1, -1)", {"x": [3, 4]}),
    ("F.clamp(e, -2, 2)", {"e": None}),
    ("F.clamp(x, y, z)", {"x": [3, 4], "y": [4], "z": [3, 1]}),
    *[
        (f"F.{name}(x, dim={dim}, keepdim={keep})", {"x": [2, 3, 4, 5]})
        for name in ("mean", "sum", "amax", "var")
        for dim, keep in ((-1, False), (1, True), ((2, 3), False), ((0, 2), True), ((1, 2), False))
    ],
    *[
        (f"F.{name}(x)", {"x": [2, 3, 4]})
        for name in "mean sum amin amax argmax argmin max min prod var std".split()
    ],
    *[(f"F.{name}(x, {dim})", {"x": [2, 3, 4]}) for name in ("max", "min") for dim in (0, 1, -1)],
    *[(f"F.{name}(x, dim=1)", {"x": [2, 3, 4]}) for name in "argmax argmin prod cumsum logsumexp".split()],
    *[(f"F.{name}(e, dim=-1)", {"e": [2, 7]}) for name in "amax amin argmax argmin sum".split()],
    ("F.max(x, y)", {"x": [2, 3], "y": [3]}),
    ("F.std(x, dim=(0, 1), correction=0)", {"x": [2, 3, 4]}),
    ("F.var_mean(x, dim=1)", {"x": [2, 3, 4]}),
    ("F.logsumexp(x, (0, 2))", {"x": [2, 3, 4]}),
    ("F.norm(x)", {"x": [2, 3]}),
    ("F.norm(x, 1, dim=1)", {"x": [2, 3]}),
    ("F.norm(x, 3, dim=(0, 1), keepdim=True)", {"x": [2, 3]}),
    ("F.norm(x, float('inf'), dim=0)", {"x": [2, 3]}),
    *[
        (f"F.matmul(x, y) # {number}", {"x": x, "y": y})
        for number, (x, y) in enumerate(
            [
                ([3], [3]),
                ([3], [3, 4]),
                ([2, 3], [3]),
                ([2, 5, 3], [3, 6]),
                ([2, 3], [2, 3, 4]),
                ([2, 4, 3], [2, 3, 5]),
                ([2, 1, 2, 3], [3, 3, 4]),
                ([2, 2, 4, 3], [1, 2, 3, 7]),
                ([1, 1, 6, 3], [1, 1, 3, 9]),
                ([2, 4, 3], [3]),
            ]
        )
    ],
    ("F.bmm(x, y)", {"x": [2, 4, 3], "y": [2, 3, 5]}),
    ("F.addmm(z, x, y, beta=0.5, alpha=2)", {"x": [2, 3], "y": [3, 4], "z": [4]}),
    ("x.mean((1, 2)).exp() + y.abs().sum()", {"x": [2, 3, 4], "y": [5]}),
    ("x / x.norm(dim=-1, keepdim=True)", {"x": [2, 3, 4]}),
    (
        "(x - x.mean(-1, keepdim=True)) * (x.var(-1, unbiased=False, keepdim=True) + 0.1).rsqrt()",
        {"x": [2, 3, 4]},
    ),
]


class _Functions:
    def __getattr__(self, name: str) -> object:
        return OTHER.get(name) or getattr(torch, name)


def _given(letter: str, shape: list[int] | None) -> torch.Tensor:
    if letter in "ef":
        return torch.tensor(EDGES).reshape(shape or [-1])
    if letter == "m":
        return (torch.randn(shape) > 0).float()
    found = torch.randn(shape) * 2
    return found.abs() + 0.1 if letter == "p" else found


def main() -> None:
    torch.manual_seed(14)
    tensors, lines = {}, []
    for number, (written, shapes) in enumerate(CASES):
        expression, name = written.partition(" # ")[0], f"{number}"
        given = {letter: _given(letter, shape) for letter, shape in shapes.items()}
        answer = eval(expression, {"F": _Functions(), **given})
        answers = answer if isinstance(answer, tuple) else (answer,)
        tensors |= {f"{name}.{letter}": value for letter, value in given.items()}
        tensors |= {f"{name}.output{place}": each.float().contiguous() for place, each in enumerate(answers)}
        case = {"name": name, "expression": expression, "inputs": list(given), "outputs": len(answers)}
        lines.append(json.dumps(case))
    (HERE / "cases.json").write_text("[\n%s\n]\n" % ",\n".join(lines), encoding="utf-8")
    save_file(tensors, HERE / "answers.safetensors")


if __name__ == "__main__":
    main()
