"""What a campaign runs: for each net rows of options, and the formulas that each of them asks."""

import dataclasses
import functools
import random
import typing

from campaign_parts.covering import all_pairs, anything, covering_rows, pairs_of
from campaign_parts.nets import GENERAL, ON_MANY_RANKS, dealt
from campaign_parts.options import FACTORS, STORE_FACTORS, STORES, is_allowed, with_random_store

MANY_RANKS = 52
DEFAULTS = {"sat-counts": True}
TIGHT = {"lanes": "off", "allocation": "hash", "buffer": "64", "flush-after": "0", "au": "query", "sat-counts": True}


@dataclasses.dataclass
class Plan:
    net: object
    rows: list
    formulas: list  # for each row the ids it asks


@dataclasses.dataclass(frozen=True)
class Campaign:
    title: str
    rows_of: typing.Callable  # (campaign, net, seed)
    factors: dict
    is_allowed: typing.Callable
    jobs: int  # at a time, if nobody says otherwise

    @functools.cached_property
    def pairs(self):
        return all_pairs(self.factors, self.is_allowed)

    def covering(self, net, seed):
        return covering_rows(self.factors, f"{seed} {net.name}", self.is_allowed, self.pairs)

    def covered(self, rows):
        names = self.factors.keys()
        ordered = [{name: row[name] for name in names if name in row} for row in rows]
        return set().union(*map(pairs_of, ordered)) & self.pairs

    def plan_for(self, net, seed):
        dice = random.Random(f"{seed} {net.name}")
        rows = self.rows_of(self, net, seed)
        early = [i for i, row in enumerate(rows) if not row["sat-counts"]]
        counts = [i for i, row in enumerate(rows) if row["sat-counts"]]
        ids = ["any.home"] if net.is_large else net.ids()
        pools = ((early, [id for id in ids if id in net.early]), (counts, [id for id in ids if id not in GENERAL]))
        hands = {}
        for places, pool in pools:
            hands.update(zip(places, dealt(pool, len(places), dice)))
        for i in counts:
            hands[i] += [id for id in GENERAL if id in ids]
        return Plan(net, rows, [hands[i] for i in range(len(rows))])


def _option_rows(campaign, net, seed):
    """Every pair of options on every net; stores by chance."""
    if net.is_large:  # minutes without lanes
        return [{"ranks": ranks, **DEFAULTS} for ranks in (2, 5)]
    rows = campaign.covering(net, seed)
    if net.name in ON_MANY_RANKS:
        rows += [{"ranks": MANY_RANKS, **DEFAULTS}, {"ranks": MANY_RANKS, **TIGHT}]
    dice = random.Random(f"{seed} {net.name} stores")
    return [with_random_store(row, dice) for row in rows]


def _store_rows(campaign, net, seed):
    if net.is_large:
        return [{"ranks": 2, "store": store, **DEFAULTS} for store in STORES["store"]]
    return campaign.covering(net, seed)


CAMPAIGNS = {
    "options": Campaign("Campaign", _option_rows, FACTORS, anything, 1),
    # Most of these runs wait for mpirun most of the time.
    "stores": Campaign("Campaign of stores", _store_rows, STORE_FACTORS, is_allowed, 2),
}


def sampled(plans, most, seed):
    """A run of every net in turn, on several ranks, until there are enough; nets and their runs in random order."""
    dice = random.Random(f"{seed} sample")
    order = [plan for plan in plans if not plan.net.is_large]
    dice.shuffle(order)
    places = {plan.net.name: [i for i, row in enumerate(plan.rows) if row["ranks"] > 1] for plan in order}
    for own in places.values():
        dice.shuffle(own)
    turns = range(max(map(len, places.values()), default=0))
    drawn = [(name, own[turn]) for turn in turns for name, own in places.items() if turn < len(own)][:most]
    result = []
    for plan in plans:
        chosen = sorted(i for name, i in drawn if name == plan.net.name)
        if chosen:
            result.append(Plan(plan.net, [plan.rows[i] for i in chosen], [plan.formulas[i] for i in chosen]))
    return result


def estimate(plan):
    """Seconds, roughly: mpirun takes most of them."""
    start = sum(0.02 if row["ranks"] == 1 else 0.4 + 0.06 * row["ranks"] for row in plan.rows)
    work = plan.net.known.get("states", 10_000) * len(plan.rows) * 2e-5
    return 30 * len(plan.rows) if plan.net.is_large else start + work


def print_list(plans, jobs):
    for plan in plans:
        ranks = sorted({row["ranks"] for row in plan.rows})
        print(f"{plan.net.name:40}{len(plan.rows):4} runs on {','.join(map(str, ranks)):16}{len(plan.net.ids()):4} formulas"
              f"   about {estimate(plan) / jobs:4.0f} s")
    print(f"{len(plans)} nets, {sum(len(plan.rows) for plan in plans)} runs, about {sum(map(estimate, plans)) / jobs / 60:.0f} min")
