"""Few combinations of options in which every pair of values of two options occurs."""

import itertools
import random


def pairs_of(row):
    """Every two settings of a row, in the order of its options."""
    return set(itertools.combinations(row.items(), 2))


def all_pairs(factors):
    settings = [[(name, value) for value in values] for name, values in factors.items()]
    return {pair for first, second in itertools.combinations(settings, 2) for pair in itertools.product(first, second)}


def covering_rows(factors, seed):
    """Rows {option: value} that cover all pairs of `factors` ({option: values}). The same seed gives the same rows.

    Greedy: of some random rows, each begun with a pair that is still missing, the one that adds most pairs is taken. With
    options of 5, 4, 3 and a few times 2 values that is 20 rows, the least possible, or a few more.
    """
    dice = random.Random(seed)
    missing = all_pairs(factors)
    rows = []
    while missing:
        ordered = sorted(missing, key=repr)
        candidates = [_grow(dict(dice.choice(ordered)), factors, missing, dice) for _ in range(20)]
        best = max(candidates, key=lambda row: len(pairs_of(row) & missing))
        missing -= pairs_of(best)
        rows.append(best)
    return rows


def _grow(row, factors, missing, dice):
    names = [name for name in factors if name not in row]
    dice.shuffle(names)
    for name in names:
        values = list(factors[name])
        dice.shuffle(values)
        row[name] = max(values, key=lambda value: len(pairs_of(_sorted({**row, name: value}, factors)) & missing))
    return _sorted(row, factors)


def _sorted(row, factors):
    return {name: row[name] for name in factors if name in row}
