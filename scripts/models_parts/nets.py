"""Models of ours as plain P/T nets, written down a second time: from the definition, without dcheck's language.

A place `pm[1, 2]` of models/*.spn is `pm_1_2` here. `known` has the counts that do not come from exploring the net, and
`source` says where they come from.
"""

import dataclasses


@dataclasses.dataclass
class Net:
    name: str
    model: str        # in models/
    parameters: dict  # of the model, for the same net
    known: dict       # states, arcs, deadlocks
    source: str
    places: dict = dataclasses.field(default_factory=dict)       # {name: tokens at first}
    transitions: dict = dataclasses.field(default_factory=dict)  # {name: (takes, puts, inhibited)}, each {place: weight}

    def place(self, name, tokens=0):
        self.places[name] = tokens

    def trans(self, name, takes, puts, inhibited=None):
        """Arcs as lists of places, where one may occur more than once, or {place: weight}."""
        self.transitions[name] = (_weights(takes), _weights(puts), inhibited or {})


def _weights(arcs):
    return dict(arcs) if isinstance(arcs, dict) else {place: arcs.count(place) for place in dict.fromkeys(arcs)}


def kanban(n):
    net = Net(f"kanban{n}", "kanban.spn", {"N": n}, {"states": 58_400, "arcs": 446_400, "deadlocks": 0},
              "states: C(N+3,3)^2 * sum over k = 0..N of C(k+2,2)^2; arcs: Bell and Haverkort 2005, Table 1")
    for i in range(1, 5):
        for kind in ("pm", "pback", "pout"):
            net.place(f"{kind}_{i}")
        net.place(f"pkan_{i}", n)
        net.trans(f"tok_{i}", [f"pm_{i}"], [f"pout_{i}"])
        net.trans(f"tback_{i}", [f"pm_{i}"], [f"pback_{i}"])
        net.trans(f"tredo_{i}", [f"pback_{i}"], [f"pm_{i}"])
    net.trans("tin", ["pkan_1"], ["pm_1"])
    net.trans("sync1", ["pout_1", "pkan_2", "pkan_3"], ["pkan_1", "pm_2", "pm_3"])
    net.trans("sync2", ["pout_2", "pout_3", "pkan_4"], ["pkan_2", "pkan_3", "pm_4"])
    net.trans("tout", ["pout_4"], ["pkan_4"])
    return net


def philosophers(n):
    lucas = [2, 1]
    while len(lucas) <= 3 * n:
        lucas.append(lucas[-1] + lucas[-2])
    net = Net(f"philosophers{n}", "philosophers.spn", {"N": n}, {"states": lucas[3 * n], "deadlocks": 2},
              "states: Lucas(3N); two deadlocks: all hold their left fork, or all their right one")
    for i in range(1, n + 1):
        left = i % n + 1
        net.place(f"idle_{i}", 1)
        net.place(f"fork_{i}", 1)
        for kind in ("waiting_left", "waiting_right", "has_left", "has_right"):
            net.place(f"{kind}_{i}")
        net.trans(f"start_{i}", [f"idle_{i}"], [f"waiting_left_{i}", f"waiting_right_{i}"])
        net.trans(f"take_left_{i}", [f"waiting_left_{i}", f"fork_{left}"], [f"has_left_{i}"])
        net.trans(f"take_right_{i}", [f"waiting_right_{i}", f"fork_{i}"], [f"has_right_{i}"])
        net.trans(f"finish_{i}", [f"has_left_{i}", f"has_right_{i}"], [f"idle_{i}", f"fork_{i}", f"fork_{left}"])
    return net


def database(n):
    net = Net(f"database{n}", "database.spn", {"N": n},
              {"states": n * 3**(n - 1) + 1, "arcs": n * (2 * (n - 1) * 3**(n - 2) + 2), "deadlocks": 0},
              "states: N * 3^(N-1) + 1; arcs: N * (2 (N-1) 3^(N-2) + 2)")
    everyone = range(1, n + 1)
    net.place("exclusion", 1)
    for i in everyone:
        net.place(f"inactive_{i}", 1)
        net.place(f"waiting_{i}")
        net.place(f"performing_{i}")
    for s in everyone:
        others = [r for r in everyone if r != s]
        for r in others:
            net.place(f"unused_{s}_{r}", 1)
            for kind in ("sent", "received", "acknowledged"):
                net.place(f"{kind}_{s}_{r}")
        unused, sent, acknowledged = ([f"{kind}_{s}_{r}" for r in others] for kind in ("unused", "sent", "acknowledged"))
        net.trans(f"update_{s}", [f"inactive_{s}", "exclusion", *unused], [f"waiting_{s}", *sent])
        net.trans(f"finish_{s}", [f"waiting_{s}", *acknowledged], [f"inactive_{s}", "exclusion", *unused])
        for r in others:
            net.trans(f"receive_{s}_{r}", [f"sent_{s}_{r}", f"inactive_{r}"], [f"received_{s}_{r}", f"performing_{r}"])
            net.trans(f"acknowledge_{s}_{r}", [f"received_{s}_{r}", f"performing_{r}"],
                      [f"acknowledged_{s}_{r}", f"inactive_{r}"])
    return net


def fms(n):
    net = Net(f"fms{n}", "fms.spn", {"N": n}, {"states": 3_444, "arcs": 16_311, "deadlocks": 0},
              "states and arcs: Model Checking Contest 2023, FMS-PT-00002")
    tokens = {"p1": n, "p2": n, "p3": n, "m1": 3, "m2": 1, "m3": 2}
    for part in ("p1", "p2"):
        for kind in ("waits", f"in_m{part[1]}", "done", "out", "to_join"):
            tokens[f"{part}_{kind}"] = 0
    for name in ("p3_waits", "p3_out", "p12", "p12_waits", "p12_in_m3", "p12_out"):
        tokens[name] = 0
    for name, count in tokens.items():
        net.place(name, count)
    for part, machine in (("p1", "m1"), ("p2", "m2")):
        working = f"{part}_in_{machine}"
        net.trans(f"{part}_load", [part], [f"{part}_waits"])
        net.trans(f"{part}_start", [f"{part}_waits", machine], [working])
        net.trans(f"{part}_stop", [working], [f"{part}_done", machine])
        net.trans(f"{part}_ship", [f"{part}_done"], [f"{part}_out"])
        net.trans(f"{part}_keep", [f"{part}_done"], [f"{part}_to_join"])
        net.trans(f"{part}_return", [f"{part}_out"], [part])
    net.trans("p3_load", ["p3"], ["p3_waits"])
    net.trans("p3_work", ["p3_waits", "m2"], ["p3_out", "m2"])
    net.trans("p3_return", ["p3_out"], ["p3"])
    net.trans("join", ["p1_to_join", "p2_to_join"], ["p12"])
    net.trans("p12_load", ["p12"], ["p12_waits"])
    net.trans("p12_start", ["p12_waits", "m3"], ["p12_in_m3"])
    net.trans("p12_stop", ["p12_in_m3"], ["p12_out", "m3"])
    net.trans("p12_return", ["p12_out"], ["p1", "p2"])
    return net


def mutex(n):
    net = Net(f"mutex{n}", "mutex.spn", {"N": n}, {"states": (n + 2) * 2**(n - 1), "deadlocks": 0},
              "states: (N + 2) * 2^(N-1)")
    net.place("lock", 1)
    for i in range(1, n + 1):
        net.place(f"idle_{i}", 1)
        net.place(f"waiting_{i}")
        net.place(f"critical_{i}")
        net.trans(f"request_{i}", [f"idle_{i}"], [f"waiting_{i}"])
        net.trans(f"enter_{i}", [f"waiting_{i}", "lock"], [f"critical_{i}"])
        net.trans(f"leave_{i}", [f"critical_{i}"], [f"idle_{i}", "lock"])
    return net


def peterson_flags(n):
    """Peterson's algorithm for n processes; see models/peterson_flags.spn."""
    known = {2: {"states": 158, "arcs": 316, "deadlocks": 0}, 3: {"states": 20_754, "arcs": 62_262, "deadlocks": 0}}
    net = Net(f"peterson_flags{n}", "peterson_flags.spn", {"N": n}, known[n],
              "N = 3: the Model Checking Contest has the same states and arcs")
    everyone, levels = range(1, n + 1), range(1, n)
    for i in everyone:
        for name, tokens in (("idle", 1), ("wants", 0), ("wants_not", 1), ("critical", 0)):
            net.place(f"{name}_{i}", tokens)
        for level in levels:
            net.place(f"turn_{level}_{i}", 1 if i == 1 else 0)
            for kind in ("yield", "look", "passed"):
                net.place(f"{kind}_{i}_{level}")
            for k in everyone:
                for kind in ("begin", "compare", "ask", "asked"):
                    net.place(f"{kind}_{i}_{level}_{k}")
    for i in everyone:
        net.trans(f"request_{i}", [f"idle_{i}", f"wants_not_{i}"], [f"yield_{i}_1", f"wants_{i}"])
        net.trans(f"leave_{i}", [f"critical_{i}", f"wants_{i}"], [f"idle_{i}", f"wants_not_{i}"])
        for level in levels:
            _peterson_level(net, n, i, level)
    return net


def _peterson_level(net, n, i, level):
    at = f"{i}_{level}"
    mine = f"turn_{level}_{i}"
    net.trans(f"mine_{at}", [f"look_{at}", mine], [f"begin_{at}_1", mine])
    net.trans(f"climb_{at}", [f"passed_{at}"], [f"critical_{i}" if level == n - 1 else f"yield_{i}_{level + 1}"])
    for k in range(1, n + 1):
        turn = f"turn_{level}_{k}"
        net.trans(f"write_{at}_{k}", [f"yield_{at}", turn], [f"look_{at}", mine])
        net.trans(f"start_{at}_{k}", [f"begin_{at}_{k}"], [f"compare_{at}_{k}"])
        net.trans(f"identify_{at}_{k}", [f"compare_{at}_{k}"], [f"asked_{at}_{k}" if i == k else f"ask_{at}_{k}"])
        net.trans(f"go_on_{at}_{k}", [f"asked_{at}_{k}"], [f"passed_{at}" if k == n else f"begin_{at}_{k + 1}"])
        if k != i:
            net.trans(f"other_{at}_{k}", [f"look_{at}", turn], [f"passed_{at}", turn])
            net.trans(f"busy_{at}_{k}", [f"ask_{at}_{k}", f"wants_{k}"], [f"look_{at}", f"wants_{k}"])
            net.trans(f"quiet_{at}_{k}", [f"ask_{at}_{k}", f"wants_not_{k}"], [f"asked_{at}_{k}", f"wants_not_{k}"])


def readers_writers(n, w):
    net = Net("readers_writers", "readers_writers.spn", {"N": n, "W": w},
              {"states": (n + 1) * (w + 1) + w, "arcs": 2 * n + n * (w + 1) + (n + 1) * w + 3 * w - 1, "deadlocks": 0},
              "states: (N+1) (W+1) + W; arcs: 2N + N (W+1) + (N+1) W + 3W - 1")
    for name, tokens in (("reader", n), ("reading", 0), ("writer", w), ("waiting", 0), ("writing", 0), ("permit", n)):
        net.place(name, tokens)
    net.trans("begin_read", ["reader", "permit"], ["reading"], {"waiting": 2})
    net.trans("end_read", ["reading"], ["reader", "permit"])
    net.trans("ask", ["writer"], ["waiting"])
    net.trans("begin_write", {"waiting": 1, "permit": n}, ["writing"])
    net.trans("end_write", ["writing"], {"writer": 1, "permit": n})
    return net


def all_nets():
    return [kanban(3), philosophers(5), database(5), fms(2), mutex(6), peterson_flags(2), peterson_flags(3),
            readers_writers(30, 5)]
