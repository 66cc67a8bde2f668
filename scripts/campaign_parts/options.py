"""The options that campaigns vary: their values, which of them go together, and the words of a command line.

A row {option: value} is a run's settings. Options are named as dcheck names them; `ranks` is mpirun's. A value is the
word that follows, True is a flag that is given, and None and False say nothing.
"""

from campaign_parts.covering import random_row

FACTORS = {
    "ranks": (1, 2, 3, 5, 8),
    "lanes": ("auto", "off"),
    "allocation": ("local", "hash"),
    "buffer": ("64", "1K", "32K", "1M"),
    "flush-after": ("0", "10", "2000"),
    "levels": (False, True),
    "au": ("count", "query"),
    "local": ("auto", "off"),
    "graph": ("auto", "keep", "off"),
    "sat-counts": (True, False),
}
FEW_BITS = "few"  # so few that keys collide everywhere: depends on how many there are
STORES = {
    "store": ("packed", "delta", "comback", "difference", "condensed"),
    "delta-k": (None, "1", "2", "5", "20", "50"),
    "hash-bits": (None, FEW_BITS),
    "cache": (None, "0", "64"),
    "order": (None, "breadth-first", "depth-first", "young-first"),
    "waiting": ("number", "full"),
    "masks": ("auto", "numbered", "plain"),
    "labels": (None, "family"),
    "no-predecessor-update": (False, True),
    "no-backward-firing": (False, True),
    "no-collapse": (False, True),
}
STORE_FACTORS = {
    "ranks": (1, 2, 3, 8),
    **STORES,
    "lanes": ("auto", "off"),
    "allocation": ("local", "hash"),
    "levels": (False, True),
    "au": ("count", "query"),
    "sat-counts": (True,),
}
OF_CHAINS = ("delta-k", "hash-bits", "cache", "labels", "no-predecessor-update", "no-backward-firing", "no-collapse")


def is_allowed(row):
    """dcheck refuses what a store cannot use, to be in step in any other order than breadth-first, to keep keys of
    rows that wait young-first, a condensed graph without the graph or with labels of families, and differences with such
    labels or told to keep their predecessors."""
    if row.get("store") == "packed" and any(row.get(name) for name in OF_CHAINS):
        return False
    if row.get("store") == "condensed" and (row.get("graph") == "off" or row.get("labels")):
        return False
    if row.get("store") == "difference" and (row.get("labels") or row.get("no-predecessor-update")):
        return False
    order = row.get("order")
    if order == "young-first" and row.get("waiting") == "full":
        return False
    return not (row.get("levels") and order in ("depth-first", "young-first"))


def with_random_store(row, dice):
    stores = [store for store in STORES["store"] if is_allowed({**row, "store": store})]
    return random_row({**row, "store": dice.choice(stores)}, STORES, is_allowed, dice)


def words_of(row, states):
    """The options of a run on a net of so many states."""
    few_bits = "8" if states <= 5_000 else "16"
    words = []
    for name, value in row.items():
        if name != "ranks" and value:
            words += [f"--{name}"] if value is True else [f"--{name}", few_bits if value == FEW_BITS else value]
    return words
