"""Few combinations of options in which every pair of values of two options occurs that can.

`is_allowed(row)` says whether settings {option: value} go together; it is asked about rows that are not complete, too.
"""

import itertools
import random


def anything(_row):
    return True


def pairs_of(row):
    """Every two settings of a row, in the order of its options."""
    return set(itertools.combinations(row.items(), 2))


def all_pairs(factors, is_allowed=anything):
    """Those that occur in a row that is allowed."""
    settings = [[(name, value) for value in values] for name, values in factors.items()]
    pairs = {pair for first, second in itertools.combinations(settings, 2) for pair in itertools.product(first, second)}
    return {pair for pair in pairs if _can_be_completed(dict(pair), factors, is_allowed)}


def covering_rows(factors, seed, is_allowed=anything, wanted=None):
    """Rows {option: value} that cover all pairs of `factors` ({option: values}). The same seed gives the same rows.
    `wanted`: these pairs, which is all_pairs() with the same arguments for who has it at hand.

    Greedy: of some random rows, each begun with a pair that is still missing, the one that adds most pairs is taken. With
    options of 5, 4, 3 and a few times 2 values that is 20 rows, the least possible, or a few more.
    """
    dice = random.Random(seed)
    missing = set(all_pairs(factors, is_allowed) if wanted is None else wanted)
    rows = []
    while missing:
        ordered = sorted(missing, key=repr)
        grown = [_grow(dict(dice.choice(ordered)), factors, is_allowed, missing, dice) for _ in range(20)]
        best = max((row for row in grown if row), key=lambda row: len(pairs_of(row) & missing), default=None)
        if best:
            missing -= pairs_of(best)
            rows.append(best)
    return rows


def random_row(begun, factors, is_allowed, dice):
    """A row with these settings, and others by chance."""
    row = None
    while row is None:
        row = _grow(dict(begun), factors, is_allowed, set(), dice)
    return row


def _grow(row, factors, is_allowed, missing, dice):
    """None where no value of an option goes together with those that were taken before."""
    names = [name for name in factors if name not in row]
    dice.shuffle(names)
    places = {name: place for place, name in enumerate(factors)}

    def gain(name, value):
        setting = (name, value)
        return sum(((other, setting) if places[other[0]] < places[name] else (setting, other)) in missing
                   for other in row.items() if other[0] in places)

    for name in names:
        values = [value for value in factors[name] if is_allowed({**row, name: value})]
        if not values:
            return None
        dice.shuffle(values)
        row[name] = max(values, key=lambda value: gain(name, value))
    return {**{name: row[name] for name in factors}, **row}


def _can_be_completed(row, factors, is_allowed):
    if not is_allowed(row):
        return False
    name = next((name for name in factors if name not in row), None)
    return name is None or any(_can_be_completed({**row, name: value}, factors, is_allowed) for value in factors[name])
