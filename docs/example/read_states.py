#!/usr/bin/env python3
"""Prints the markings in a file of --save, and which properties hold in them: read_states.py FILE.h5 [HOW MANY ROWS]"""
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1])
places, plan = f["plan/places"].asstr()[:], f["plan"]
for key, i in zip(f["rows/keys"][: int(sys.argv[2]) if len(sys.argv) > 2 else None], range(f["rows/keys"].shape[0])):
    mask = f["rows/reached"][i] if "reached" in f["rows"] else np.array([1], np.uint64)
    for lane in (l for l in range(64 * len(mask)) if int(mask[l // 64]) >> l % 64 & 1):
        m = {p: int(key[w]) >> s & ((1 << b) - 1) for p, w, s, b in plan["key"][:].tolist()}
        m |= dict(zip(plan["leaf"][:].tolist(), plan["lanes"][lane].tolist())) if len(plan["leaf"]) else {}
        terms = iter(plan["terms"][:].tolist())
        m |= {p: (c + sum(a * m[q] for q, a in (next(terms) for _ in range(n)))) // s for p, s, c, n in plan["dependent"][:].tolist()}
        true = [name for name, sat in f["sat"].items() if int(sat[i][lane // 64]) >> lane % 64 & 1]
        print(" ".join(f"{places[p]}={t}" for p, t in sorted(m.items()) if t), "|", *true)
