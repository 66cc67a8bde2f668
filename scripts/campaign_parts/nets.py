"""The nets of the campaign: where they are, what is known of them, and the formulas to ask."""

import dataclasses
import functools
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

from campaign_parts.launch import ROOT, SHARED

MOST_STATES = 200_000
COUNTS = ("states", "arcs", "deadlocks", "max_tokens_in_place", "max_tokens_in_marking")

# Of any net. Names that no model uses for a check of its own.
GENERAL = {
    "any.home": "AG EF initial",
    "any.back": "E[ true U initial ]",
    "any.before": "EX EX initial",
    "any.after": "AX EX true",
    "any.until": "A[ !deadlock U EX initial ]",
    "any.ends": "AF deadlock",
    "any.runs": "EG !deadlock",
}
# Decided before everything is explored where they can be.
GENERAL_EARLY = {"any.stuck": "EF deadlock", "any.leaves": "AG initial", "any.returns": "EF EX initial"}

# Of models of ours, beside their own checks.
SPECIAL = {
    "kanban.spn": {
        "own.full": "EF full", "own.fills": "A[ pm[1] + pkan[1] >= 1 U full ]", "own.next": "EX EX pm[2] >= 1",
        "own.drain": "E[ pout[4] == 0 U pm[4] == N ]", "own.most": "bound(pm[1] + pm[4])",
    },
    "philosophers.spn": {
        "own.eating": "eating", "own.eats": "AF eating", "own.returns": "EF initial",
        "own.hungry": "AG (!deadlock -> AF eating)", "own.forks": "bound(sum i in 1..N : fork[i])",
    },
    "database.spn": {
        "own.waits": "AG (waiting[1] == 1 -> AF waiting[1] == 0)", "own.first": "E[ waiting[1] == 0 U waiting[2] == 1 ]",
        "own.busy": "EG (sum i in 1..N : waiting[i]) == 1",
    },
    "eratosthenes.spn": {"own.two": "A[ prime[2] == 0 U prime[2] == 1 ]", "own.late": "E[ prime[3] == 0 U at[2, 5] == 1 ]"},
    "fms.spn": {
        "own.joined": "AF p12 >= 1", "own.free": "E[ m1 >= 1 U p12_in_m3 == 2 ]", "own.next": "EX p1_in_m1 == 1",
        "own.most": "bound(p12 + p12_waits + p12_in_m3)",
    },
    "leader.spn": {
        "own.quiet": "E[ message[1, N] == 0 U leader[N] == 1 ]", "own.wakes": "AF taking_part[N] == 1",
        "own.most": "bound(sum i in 1..N, j in 1..N : message[i, j])",
    },
    "mutex.spn": {
        "own.enters": "AG (waiting[1] == 1 -> AF critical[1] == 1)", "own.first": "E[ critical[1] == 0 U critical[2] == 1 ]",
        "own.next": "EX critical[1] == 1",
    },
    "peterson.spn": {
        "own.enters": "AG (yield[1, 1] == 1 -> AF critical[1] == 1)",
        "own.first": "A[ critical[1] == 0 U critical[1] == 1 ]", "own.next": "EX EX critical[2] == 1",
    },
    "stop_and_wait.spn": {
        "own.completes": "AF complete", "own.first": "E[ ack_room == C U complete ]", "own.next": "EX complete",
        "own.most": "bound(sum k in 1..N : data[k])",
    },
    "token_ring.spn": {"own.ends": "AF concluded == 1", "own.calm": "E[ in_flight[0] == 0 U concluded == 1 ]"},
    "token_ring_broken.spn": {"own.ends": "AF concluded == 1", "own.calm": "E[ in_flight[0] == 0 U concluded == 1 ]"},
    "dining.spn": {"own.eats": "AF eating[1] == 1", "own.first": "E[ eating[1] == 0 U eating[2] == 1 ]"},
    "dining_chairs.spn": {"own.first": "E[ eating[1] == 0 U eating[2] == 1 ]", "own.waits": "EG has_left[1] == 0"},
    "leader_silent.spn": {"own.quiet": "E[ message[1, N] == 0 U leader[N] == 1 ]", "own.next": "EX leader[N] == 1"},
    "peterson_flags.spn": {
        "own.enters": "AG (yield[1, 1] == 1 -> AF critical[1] == 1)", "own.first": "A[ critical[1] == 0 U critical[1] == 1 ]",
    },
    "named_tokens.spn": {"own.first": "E[ at[1] == 0 U at[2] == 1 ]", "own.most": "bound(sum i in 1..M : at[i])"},
    "sieve.spn": {"own.late": "E[ done[3] == 0 U done[2] == 1 ]", "own.next": "EX deadlock"},
    "simple_protocol.spn": {"own.completes": "AF complete", "own.first": "E[ room >= 1 U complete ]", "own.next": "EX complete"},
    "readers_writers.spn": {
        "own.first": "E[ writing == 0 U reading == N ]", "own.writes": "AG (waiting >= 1 -> AF writing == 1)",
        "own.most": "bound(reading + waiting)",
    },
}
SPECIAL |= {
    "database_coloured.spn": {
        "own.first": "E[ waiting == 0 U fireable(finish) ]", "own.most": "bound(sent + received)",
        "own.waits": "AG (waiting == 1 -> AF waiting == 0)",
    },
    "eratosthenes_coloured.spn": {"own.two": "A[ prime[2] == 0 U prime == 1 ]", "own.most": "bound(at)"},
    "philosophers_coloured.spn": {"own.eats": "AF fireable(finish)", "own.forks": "E[ fork >= 1 U has_left == N ]"},
    "stop_and_wait_coloured.spn": {"own.completes": "AF complete", "own.next": "EX fireable(accept)"},
}
SPECIAL["kanban9.spn"] = {name: text.replace("== N", "== 9") for name, text in SPECIAL["kanban.spn"].items()}

# Parameters of models of ours, and what facts, papers and the models' comments say: states, arcs, deadlocks.
OURS = [
    ("kanban.spn", {"N": 1}, (160, 616, 0)),
    ("kanban.spn", {"N": 2}, (4_600, 28_120, 0)),
    ("kanban.spn", {"N": 3}, (58_400, 446_400, 0)),
    ("philosophers.spn", {"N": 2}, (18, None, 2)),
    ("philosophers.spn", {"N": 3}, (76, None, 2)),
    ("philosophers.spn", {"N": 4}, (322, None, 2)),
    ("philosophers.spn", {"N": 5}, (1_364, None, 2)),
    ("philosophers.spn", {"N": 6}, (5_778, None, 2)),
    ("philosophers.spn", {"N": 7}, (24_476, None, 2)),
    ("philosophers.spn", {"N": 8}, (103_682, 775_336, 2)),
    *(("database.spn", {"N": n}, (n * 3 ** (n - 1) + 1, n * (2 * (n - 1) * 3 ** (n - 2) + 2), 0)) for n in range(2, 11)),
    ("eratosthenes.spn", {"N": 5}, None),
    ("eratosthenes.spn", {"N": 10}, None),
    ("eratosthenes.spn", {"N": 20}, (402, 846, 1)),
    ("eratosthenes.spn", {"N": 40}, (5_816, 17_525, 1)),
    ("eratosthenes.spn", {"N": 70}, (182_554, 764_856, 1)),
    ("fms.spn", {"N": 1}, None),
    ("fms.spn", {"N": 2}, (3_444, 16_311, 0)),
    ("fms.spn", {"N": 3}, None),
    ("leader.spn", {"N": 2}, None),
    ("leader.spn", {"N": 5}, (299, 1_010, 1)),
    ("leader.spn", {"N": 8}, (5_431, 29_204, 1)),
    ("leader.spn", {"N": 11}, None),
    *(("mutex.spn", {"N": n}, ((n + 2) * 2 ** (n - 1), None, 0)) for n in (2, 3, 6, 10, 14)),
    ("peterson.spn", {"N": 2}, (32, 64, 0)),
    ("peterson.spn", {"N": 3}, (1_626, 4_878, 0)),
    ("peterson.spn", {"N": 4}, (115_256, 461_024, 0)),
    ("stop_and_wait.spn", {"N": 1, "C": 1}, None),
    ("stop_and_wait.spn", {"N": 3, "C": 2}, None),
    ("stop_and_wait.spn", {"N": 5, "C": 3}, None),
    ("stop_and_wait.spn", {"N": 7, "C": 4}, (164_261, 1_482_575, 1)),
    ("token_ring.spn", {"N": 1, "M": 2}, (4, 3, 1)),
    ("token_ring.spn", {"N": 2, "M": 1}, (48, 77, 3)),
    ("token_ring.spn", {"N": 2, "M": 4}, (1_297, 3_177, 15)),
    ("token_ring.spn", {"N": 3, "M": 2}, (2_277, 5_580, 26)),
    ("token_ring.spn", {"N": 2, "M": 10}, (47_157, 153_629, 66)),
    ("token_ring.spn", {"N": 4, "M": 3}, (131_462, 443_240, 215)),
    ("token_ring_broken.spn", {"N": 2, "M": 2}, (144, 299, 6)),
    ("token_ring_broken.spn", {"N": 3, "M": 2}, (1_725, 4_639, 26)),
    ("token_ring_broken.spn", {"N": 4, "M": 3}, (74_468, 288_635, 226)),
    # Lucas(N) states, 2 N Fib(N-1) arcs; with STEP one of each more
    ("dining.spn", {"N": 10}, (123, 680, 0)),
    ("dining.spn", {"N": 18}, (5_778, 57_492, 0)),
    ("dining.spn", {"N": 22, "STEP": 1}, (39_604, 481_625, 0)),
    ("dining_chairs.spn", {"N": 3}, None),
    ("dining_chairs.spn", {"N": 6}, None),
    ("dining_chairs.spn", {"N": 9}, None),
    ("leader_silent.spn", {"N": 5}, None),
    ("leader_silent.spn", {"N": 9}, None),
    ("named_tokens.spn", {"N": 4, "M": 5}, (1_024, 7_680, 0)),
    ("named_tokens.spn", {"N": 11, "M": 3}, (1_331, 7_260, 0)),
    ("peterson_flags.spn", {"N": 2}, None),
    ("peterson_flags.spn", {"N": 3}, (20_754, 62_262, 0)),
    ("sieve.spn", {"N": 10}, None),
    ("sieve.spn", {"N": 20}, None),
    ("simple_protocol.spn", {"N": 2, "C": 1}, None),
    ("simple_protocol.spn", {"N": 5, "C": 3}, None),
    ("simple_protocol.spn", {"N": 3, "C": 2, "STEP": 1}, None),
    ("database_coloured.spn", {"N": 6}, (1_459, 4_872, 0)),
    ("eratosthenes_coloured.spn", {"N": 40}, (5_816, 17_525, 1)),
    ("philosophers_coloured.spn", {"N": 7}, (24_476, None, 2)),
    ("stop_and_wait_coloured.spn", {"N": 7, "C": 4}, (164_261, 1_482_575, 1)),
    *(("readers_writers.spn", {"N": n, "W": w},
       ((n + 1) * (w + 1) + w, 2 * n + n * (w + 1) + (n + 1) * w + 3 * w - 1, 0)) for n, w in ((2, 1), (30, 5), (100, 50))),
]
# Paper five, tables 2 and 6, and its closed forms.
KNOWN_SETS = {
    "philosophers.spn N=8": {
        "own.eating states": 66_048, "own.eats states": 90_816, "own.returns states": 103_680, "own.hungry states": 2,
    },
    **{f"kanban.spn N={n}": {"any.home": True, "any.home states": states, "any.back states": states}
       for n, states in ((1, 160), (2, 4_600), (3, 58_400))},
}
# Nets that are run on 52 ranks as well: fewer states than ranks, as many, more; with lanes and without.
ON_MANY_RANKS = {
    "token_ring.spn N=1 M=2", "philosophers.spn N=2", "philosophers.spn N=6", "kanban.spn N=2", "peterson.spn N=3",
    "Eratosthenes-PT-010", "TokenRing-PT-005", "TokenRing-COL-005", "Dekker-PT-010", "BridgeAndVehicles-PT-V04P05N02",
}


@dataclasses.dataclass
class Net:
    name: str
    arguments: list  # the model, and its parameters
    known: dict      # answers (answers.py) that do not come from dcheck
    texts: dict      # {id: formula} in our syntax
    early: set       # ids of formulas that may be decided before everything is explored
    xmls: tuple = () # formula files in the contest's XML
    is_large: bool = False  # far beyond MOST_STATES: a few runs only

    def ids(self):
        return list(self.texts) + [id for path in self.xmls for id in _ids_in(path)]

    def write_formulas(self, ids, folder):
        """Files with these formulas alone, and the arguments that name them."""
        wanted = set(ids)
        texts = [f"\"{id}\": {text};\n" for id, text in self.texts.items() if id in wanted]
        arguments = []
        if texts:
            path = pathlib.Path(folder, "formulas.ctl")
            path.write_text("".join(texts))
            arguments += ["--formulas", path]
        for number, source in enumerate(self.xmls):
            if not wanted.isdisjoint(_ids_in(source)):
                path = pathlib.Path(folder, f"formulas{number}.xml")
                _write_part(source, wanted, path)
                arguments += ["--formulas", path]
        return arguments


def _local(element):
    return element.tag.rsplit("}", 1)[-1]


def _id_of(element):
    return next(child.text.strip() for child in element if _local(child) == "id")


@functools.lru_cache(None)
def _ids_in(path):
    return [_id_of(e) for e in ET.parse(path).getroot() if _local(e) == "property"]


def _write_part(source, wanted, target):
    tree = ET.parse(source)
    root = tree.getroot()
    root[:] = [e for e in root if _local(e) != "property" or _id_of(e) in wanted]
    tree.write(target, encoding="utf-8", xml_declaration=True)


def _checks_of(model):
    """A model's own checks as {name: formula}."""
    text = re.sub(r"//[^\n]*", "", model.read_text())
    return {name: " ".join(formula.split()) for name, formula in re.findall(r"\bcheck\s+(\w+)\s*:([^;]*);", text)}


def _name_of(file, parameters):
    return " ".join([file, *(f"{key}={value}" for key, value in parameters.items())])


def _our_net(file, parameters, counts, is_large=False):
    name = _name_of(file, parameters)
    arguments = [ROOT / "models" / file]
    for key, value in parameters.items():
        arguments += ["-D", f"{key}={value}"]
    checks = _checks_of(ROOT / "models" / file)
    texts = {**GENERAL, **GENERAL_EARLY, **checks, **SPECIAL[file]}
    early = {id for id, text in checks.items() if not re.search(r"\b(E[XFG]|A[XFG]|[EA]\[)", text[2:])}
    known = {key: value for key, value in zip(COUNTS, counts or ()) if value is not None}
    return Net(name, arguments, {**known, **KNOWN_SETS.get(name, {})}, texts, early | set(GENERAL_EARLY), is_large=is_large)


def _contest_net(folder):
    expected = json.loads((folder / "expected.json").read_text())
    known = {"states": expected["states"], "arcs": expected["transitions"],
             "max_tokens_in_place": expected["max_token_in_place"],
             "max_tokens_in_marking": expected["max_token_per_marking"],
             "any.stuck": expected["ReachabilityDeadlock"]["ReachabilityDeadlock"]}
    files = ("CTLCardinality", "CTLFireability", "ReachabilityCardinality", "ReachabilityFireability", "UpperBounds")
    for file in files:
        known.update({id: answer for id, answer in expected[file].items() if answer is not None})
    early = {id for file in files if file.startswith("Reach") for id in expected[file]} | set(GENERAL_EARLY)
    return Net(folder.name, [folder / "model.pnml"], known, {**GENERAL, **GENERAL_EARLY}, early,
               tuple(folder / f"{file}.xml" for file in files))


def _our_pnml_nets():
    """Models of ours in PNML, with what scripts/make-models knows of them."""
    folder = ROOT / "models"
    for name, expected in json.loads((folder / "expected.json").read_text()).items():
        known = {count: expected[count] for count in COUNTS} | expected["answers"]
        early = {id for id in expected["answers"] if "-Reach" in id} | set(GENERAL_EARLY)
        yield Net(f"{name}.pnml", [folder / f"{name}.pnml"], known, {**GENERAL, **GENERAL_EARLY}, early,
                  (folder / f"{name}.xml",))


def all_nets():
    """Ours, then the contest's where they are there; the same order every time."""
    nets = [_our_net(*entry) for entry in OURS]
    nets.append(_our_net("kanban9.spn", {}, (384_392_800, 4_474_555_800, 0), is_large=True))
    nets += _our_pnml_nets()
    folders = sorted(folder for kind in ("PT", "COL") for folder in (SHARED / "mcc").glob(f"*-{kind}-*"))
    if not folders:
        print(f"the contest's nets are not in {SHARED / 'mcc'} (DCHECK_SHARED names another folder): ours only", file=sys.stderr)
    nets += [_contest_net(folder) for folder in folders]
    return [net for net in nets if net.is_large or net.known.get("states", 0) <= MOST_STATES]


def net_named(name):
    """One of ours."""
    return next(_our_net(*entry) for entry in OURS if _name_of(*entry[:2]) == name)


def dealt(ids, hands, dice):
    """The formulas in random order, dealt to so many runs; where there are too few, each run gets one at least."""
    ids = list(ids)
    dice.shuffle(ids)
    result = [ids[i::hands] for i in range(hands)]
    return [hand or [dice.choice(ids)] for hand in result] if ids else result
