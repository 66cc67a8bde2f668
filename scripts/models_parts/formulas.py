"""Random formulas for a net, as tuples (judge.py), and the XML of the Model Checking Contest that says the same."""

import random

QUANTIFIED = {"EX": ("exists-path", "next"), "EF": ("exists-path", "finally"), "EG": ("exists-path", "globally"),
              "AX": ("all-paths", "next"), "AF": ("all-paths", "finally"), "AG": ("all-paths", "globally"),
              "EU": ("exists-path", "until"), "AU": ("all-paths", "until")}
BOOLEAN = {"not": "negation", "and": "conjunction", "or": "disjunction"}
DEPTH = 4  # of operators at most


class Draw:
    """Formulas about one net; the same ones from the same seed."""

    def __init__(self, net, seed):
        self._dice = random.Random(seed)
        self._places, self._transitions = list(net.places), list(net.transitions)
        self._most = max(net.places.values())

    def ctl(self, atom, depth=DEPTH):
        """With a temporal operator at the top."""
        return self._temporal(list(QUANTIFIED), atom, depth)

    def reachability(self, atom):
        return (self._dice.choice(("EF", "AG")), self._boolean(atom, 2))

    def cardinality(self):
        sides = [self._sum(), self._sum() if self._dice.random() < 0.5 else self._dice.randint(0, self._most)]
        self._dice.shuffle(sides)
        return ("le", *sides)

    def fireability(self):
        if self._dice.random() < 0.1:
            return ("deadlock",)
        return ("fireable", *self._dice.sample(self._transitions, self._dice.randint(1, 2)))

    def bound(self):
        return self._sum()

    def _sum(self):
        return tuple(self._dice.sample(self._places, self._dice.randint(1, 3)))

    def _formula(self, atom, depth):
        chance = self._dice.random()
        if depth <= 1 or chance < 0.1:
            return atom()
        if chance < 0.35:
            return self._combined(depth, lambda: self._formula(atom, depth - 1))
        return self._temporal(list(QUANTIFIED), atom, depth)

    def _boolean(self, atom, depth):
        return atom() if depth == 0 else self._combined(depth, lambda: self._boolean(atom, depth - 1))

    def _combined(self, depth, part):
        kind = self._dice.choice(list(BOOLEAN))
        return (kind, part()) if kind == "not" else (kind, part(), part())

    def _temporal(self, kinds, atom, depth):
        kind = self._dice.choice(kinds)
        return (kind, *(self._formula(atom, depth - 1) for _ in range(2 if kind in ("EU", "AU") else 1)))


def xml(formula, indent):
    """Lines."""
    kind, *parts = formula
    if kind in BOOLEAN:
        return _element(BOOLEAN[kind], [line for part in parts for line in xml(part, indent + 1)], indent)
    if kind == "deadlock":
        return [" " * indent + "<deadlock/>"]
    if kind == "fireable":
        return _element("is-fireable", _names("transition", parts, indent + 1), indent)
    if kind == "le":
        return _element("integer-le", [line for part in parts for line in _sum(part, indent + 1)], indent)
    path, operator = QUANTIFIED[kind]
    if operator != "until":
        inner = xml(parts[0], indent + 2)
    else:
        inner = [line for side, part in zip(("before", "reach"), parts)
                 for line in _element(side, xml(part, indent + 3), indent + 2)]
    return _element(path, _element(operator, inner, indent + 1), indent)


def bound_xml(places, indent):
    return _element("place-bound", _names("place", places, indent + 1), indent)


def _sum(part, indent):
    if isinstance(part, int):
        return [" " * indent + f"<integer-constant>{part}</integer-constant>"]
    return _element("tokens-count", _names("place", part, indent + 1), indent)


def _names(element, names, indent):
    return [" " * indent + f"<{element}>{name}</{element}>" for name in names]


def _element(name, inner, indent):
    return [" " * indent + f"<{name}>", *inner, " " * indent + f"</{name}>"]
