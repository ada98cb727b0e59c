"""What the entries reach of all modules, in one source."""

import ast
import copy
import keyword
from collections.abc import Iterator, Mapping
from typing import Any

from burnpack.errors import NotFound, Unsupported
from burnstore.boards.runtime.merging.modules import Module, Sources, Symbol
from burnstore.boards.runtime.merging.qualify import SEPARATOR, Meaning, Qualified, Whole, qualified, value_of

_Place = tuple[str, int]  # a module, and the number of a statement in it


def merged(sources: Sources, entries: Mapping[str, Symbol]) -> ast.Module:
    """Return one module that has each of the entries under the name that it is given, and what they need.

    entries: {name in the merged module: what is called so}. Raises `BurnpackError` for what can't be merged.
    """
    program = _Merged(sources)
    constants: list[ast.stmt] = []
    fixed: dict[Symbol, str] = {}
    for name, symbol in entries.items():
        meaning = program.imported(*symbol)
        if isinstance(meaning, Whole):
            raise Unsupported("a module, and none once it is merged", meaning.module)
        if isinstance(meaning, Symbol):
            fixed[meaning] = name
            program.reach(meaning)
        else:
            constants.append(ast.Assign([ast.Name(name, ast.Store())], meaning))
    found = program.statements()
    names = _names(fixed, found)
    body = [*_imports(names, program), *constants, *(_renamed(each.statement, names) for each in found)]
    return ast.fix_missing_locations(ast.Module(body, []))


class _Merged:
    """Modules, and what of them was reached."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._modules: dict[str, Module] = {}
        self._meanings: dict[Symbol, Meaning | None] = {}
        self._reached: dict[_Place, Qualified] = {}

    def has(self, module: str) -> bool:
        """Return whether a module is merged."""
        return self._sources.has(module)

    def meaning(self, module: str, name: str) -> Meaning | None:
        """Return what a module calls `name`; None where it has no such name."""
        symbol = Symbol(module, name)
        if symbol not in self._meanings:
            self._meanings[symbol] = self._find(symbol)
        return self._meanings[symbol]

    def imported(self, module: str, name: str) -> Meaning:
        """Return what an import of `name` from a module brings; of the module, where `name` is empty."""
        if not self.has(module):
            return Symbol(module, name)
        if not name:
            return Whole(module)
        found = self.meaning(module, name) if module in self._sources.texts else None
        if found is not None:
            return found
        home = self._sources.homes.get(module, {}).get(name)
        if home is not None:
            return self.imported(home, name)
        inner = f"{module}.{name}"
        if inner not in self._sources.texts and inner not in self._sources.homes:
            raise NotFound("not among the modules to merge", inner)
        return Whole(inner)

    def reach(self, symbol: Symbol) -> None:
        """Take the statement that binds a symbol, and all that it needs in turn."""
        waiting = [symbol]
        while waiting:
            module, name = waiting.pop()
            if self.has(module):
                waiting += self._take(self._module(module), name)

    def statements(self) -> list[Qualified]:
        """Return what was reached: a module's statements in their order, behind those that it imports."""
        order: dict[str, None] = {}
        for module, _ in self._reached:
            self._put_in_order(module, order, set())
        rank = {module: number for number, module in enumerate(order)}
        return [self._reached[place] for place in sorted(self._reached, key=lambda it: (rank[it[0]], it[1]))]

    def _find(self, symbol: Symbol) -> Meaning | None:
        module = self._module(symbol.module)
        if symbol.name in module.homes:
            value = module.constant(symbol.name)
            return symbol if value is None else self._value(module, value)
        if symbol.name in module.imports:
            return self.imported(*module.imports[symbol.name])
        return None

    def _value(self, module: Module, expression: ast.expr) -> ast.expr:
        found = qualified(module, ast.Expr(copy.deepcopy(expression)), self).statement
        assert isinstance(found, ast.Expr)
        return value_of(found.value)

    def _module(self, name: str) -> Module:
        if name not in self._modules:
            self._modules[name] = Module(name, self._sources)
        return self._modules[name]

    def _take(self, module: Module, name: str) -> Iterator[Symbol]:
        """Take the statement that binds a name, and what else the module does; yield the symbols in them."""
        numbers = range(len(module.statements))
        for number in [module.homes[name], *filter(module.has_effects, numbers)]:
            place = (module.name, number)
            if place not in self._reached:
                self._reached[place] = qualified(module, module.statements[number], self)
                yield from self._reached[place].met

    def _put_in_order(self, name: str, order: dict[str, None], seen: set[str]) -> None:
        if name in seen or not self.has(name) or name not in self._sources.texts:
            return
        seen.add(name)
        for module, member in self._module(name).imports.values():
            for imported in (module, f"{module}.{member}"):
                self._put_in_order(imported, order, seen)
        order.setdefault(name)


def _names(fixed: Mapping[Symbol, str], statements: list[Qualified]) -> dict[str, str]:
    """Return {symbol as it is spelled: its name}: no two alike, and none that is local where it is met."""
    around: dict[Symbol, set[str]] = {}
    for statement in statements:
        for symbol, names in statement.met.items():
            around.setdefault(symbol, set()).update(names)
    taken = {*keyword.kwlist, *fixed.values(), *(name for each in statements for name in each.free)}
    found = {}
    for symbol, names in around.items():
        name = fixed.get(symbol) or _free_name(symbol, taken | names)
        if name in names:
            raise Unsupported("a local name where the same name of the merged module is meant", name)
        taken.add(name)
        found[SEPARATOR.join(symbol)] = name
    return found


def _free_name(symbol: Symbol, taken: set[str]) -> str:
    base = symbol.name or symbol.module.rpartition(".")[2]
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name


def _imports(names: Mapping[str, str], program: _Merged) -> Iterator[ast.stmt]:
    """Yield the imports of what is not merged: of each module one for all of its members."""
    members: dict[str, list[ast.alias]] = {}
    for spelled, name in sorted(names.items()):
        module, _, member = spelled.partition(SEPARATOR)
        alias = ast.alias(member or module, name if name != (member or module) else None)
        if member and not program.has(module):
            members.setdefault(module, []).append(alias)
        elif not program.has(module):
            yield ast.Import([alias])
    for module, aliases in members.items():
        yield ast.ImportFrom(module, aliases, 0)


def _renamed(tree: ast.stmt, names: Mapping[str, str]) -> ast.stmt:
    for node in ast.walk(tree):
        for attribute in ("id", "name", "asname"):
            spelled: Any = getattr(node, attribute, None)
            if isinstance(spelled, str) and spelled in names:
                setattr(node, attribute, names[spelled])
        if isinstance(node, ast.Global):
            node.names = [names.get(name, name) for name in node.names]
    return tree
