"""Explores a net and labels its states, by the textbook: markings in a dict, one firing at a time, a set a formula.

Formulas are tuples: ("not" | "EX" | "EF" | "EG" | "AX" | "AF" | "AG", f), ("and" | "or" | "EU" | "AU", f, g),
("fireable", transition, ...), ("le", sum, sum) where a sum is a number or a tuple of places, and ("deadlock",).
Paths are maximal: infinite, or ending in a deadlock.
"""


class Graph:
    """All states, the initial one first. `enabled[s]` has the transitions of state s, `successors[s]` where they lead."""

    def __init__(self, net):
        self.place_at = {place: at for at, place in enumerate(net.places)}
        moves = [(name, *([(self.place_at[place], weight) for place, weight in arcs.items()] for arcs in sides))
                 for name, sides in net.transitions.items()]
        first = tuple(net.places.values())
        numbers, self.markings, self.successors, self.enabled = {first: 0}, [first], [], []
        for marking in self.markings:  # grows
            fired = [(name, _after(marking, takes, puts)) for name, takes, puts, inhibited in moves
                     if _is_enabled(marking, takes, inhibited)]
            self.enabled.append({name for name, _ in fired})
            self.successors.append([])
            for _, then in fired:
                if then not in numbers:
                    numbers[then] = len(self.markings)
                    self.markings.append(then)
                self.successors[-1].append(numbers[then])
        self.all = set(range(len(self.markings)))
        self.predecessors = [[] for _ in self.markings]
        for state, then in enumerate(self.successors):
            for other in then:
                self.predecessors[other].append(state)
        self.deadlocks = {state for state in self.all if not self.successors[state]}

    def counts(self):
        return {"states": len(self.markings), "arcs": sum(map(len, self.successors)), "deadlocks": len(self.deadlocks),
                "max_tokens_in_place": max(map(max, self.markings)), "max_tokens_in_marking": max(map(sum, self.markings))}

    def bound(self, places):
        return max(self._value(places, marking) for marking in self.markings)

    def states(self, formula):
        """Those that satisfy it."""
        kind, *parts = formula
        if kind == "deadlock":
            return set(self.deadlocks)
        if kind == "fireable":
            return {state for state in self.all if not self.enabled[state].isdisjoint(parts)}
        if kind == "le":
            return {state for state, marking in enumerate(self.markings)
                    if self._value(parts[0], marking) <= self._value(parts[1], marking)}
        return getattr(self, "_" + kind)(*map(self.states, parts))

    def _value(self, part, marking):
        return part if isinstance(part, int) else sum(marking[self.place_at[place]] for place in part)

    def _not(self, f):
        return self.all - f

    def _and(self, f, g):
        return f & g

    def _or(self, f, g):
        return f | g

    def _EX(self, f):
        return {before for state in f for before in self.predecessors[state]}

    def _AX(self, f):
        return {state for state in self.all if f.issuperset(self.successors[state])}

    def _EF(self, f):
        return self._EU(self.all, f)

    def _AG(self, f):
        return self.all - self._EF(self.all - f)

    def _EU(self, f, g):
        found, new = set(g), list(g)
        while new:
            for before in self.predecessors[new.pop()]:
                if before in f and before not in found:
                    found.add(before)
                    new.append(before)
        return found

    def _AU(self, f, g):
        """g, and again and again what is in f, has successors, and has them all in it."""
        found, new = set(g), list(g)
        left = [len(then) for then in self.successors]
        while new:
            for before in self.predecessors[new.pop()]:
                left[before] -= 1
                if left[before] == 0 and before in f and before not in found:
                    found.add(before)
                    new.append(before)
        return found

    def _AF(self, f):
        return self._AU(self.all, f)

    def _EG(self, f):
        return self.all - self._AF(self.all - f)


def _is_enabled(marking, takes, inhibited):
    return all(marking[at] >= weight for at, weight in takes) and all(marking[at] < weight for at, weight in inhibited)


def _after(marking, takes, puts):
    then = list(marking)
    for at, weight in takes:
        then[at] -= weight
    for at, weight in puts:
        then[at] += weight
    return tuple(then)
