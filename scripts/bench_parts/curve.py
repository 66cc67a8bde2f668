"""Arcs between ranks against uneven partitions: few places tell the owner of few large classes, and many of many small ones."""

import math

from bench_parts.common import ROOT, describe_machine
from bench_parts.locality import Measured, contest_net, our_net, print_head, print_row

RANKS = 52
# The places that `local` chooses there, as it lists them, and some more.
CURVES = [
    (our_net("kanban", 5, (2_546_432, 24_460_016)),
     ["pback[2]", "pm[3]", "pm[4]", "pout[3]", "pout[4]", "pm[2]", "pout[2]", "pm[1]"]),
    (our_net("philosophers", 9, (439_204, 3_694_923)),
     ["idle[1]", "waiting_left[1]", "waiting_right[1]", "fork[1]", "waiting_right[2]", "fork[8]", "fork[4]", "waiting_left[7]",
      "waiting_right[4]", "has_left[4]", "waiting_left[6]", "has_right[6]"]),
    (contest_net("FMS-PT-00005"), ["P2wP1", "P2", "P2wM2", "P3M2", "P3s", "P1wM1", "P3"]),
    (contest_net("HouseConstruction-PT-00005"), ["p1", "p2", "p3", "p4", "p6", "p8"]),
]
PICTURE = ROOT / "docs/locality.svg"
COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2"]
WIDTH, HEIGHT, MARGIN = 640, 400, 50
LEAST, MOST = 1, 10_000  # percent, of the axis of imbalance


def x_of(imbalance):
    share = math.log(max(LEAST, imbalance) / LEAST) / math.log(MOST / LEAST)
    return MARGIN + share * (WIDTH - 2 * MARGIN)


def y_of(cross):
    return HEIGHT - MARGIN - cross / 100 * (HEIGHT - 2 * MARGIN)


def text(x, y, words, anchor="middle", colour="#333"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def axes():
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    for power in range(int(math.log10(MOST)) + 1):
        x = x_of(10**power)
        yield f'<line x1="{x:.0f}" y1="{y_of(0):.0f}" x2="{x:.0f}" y2="{y_of(100):.0f}" stroke="#ddd"/>'
        yield text(x, y_of(0) + 16, f"{10**power} %")
    for cross in range(0, 101, 20):
        yield f'<line x1="{x_of(LEAST):.0f}" y1="{y_of(cross):.0f}" x2="{x_of(MOST):.0f}" y2="{y_of(cross):.0f}" stroke="#ddd"/>'
        yield text(x_of(LEAST) - 6, y_of(cross) + 4, f"{cross} %", "end")
    yield text(WIDTH / 2, HEIGHT - 14, "(largest - smallest) / mean of the partitions")
    yield text(WIDTH / 2, 20, f"arcs between ranks, {RANKS} ranks; each point one place more than the one before")


def draw(curves):
    """curves: {net: [(places, figures), ...]}"""
    lines = list(axes())
    for number, ((name, points), colour) in enumerate(zip(curves.items(), COLOURS)):
        spots = [(x_of(figures.imbalance), y_of(figures.cross), places) for places, figures in points]
        lines.append(f'<polyline fill="none" stroke="{colour}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y, _ in spots)}"/>')
        for x, y, places in spots:
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
            lines.append(text(x + 5, y - 4, places, "start", colour))
        lines.append(text(x_of(MOST) - 4, y_of(98) + 16 * (number + 1), name, "end", colour))
    PICTURE.write_text("\n".join([*lines, "</svg>"]) + "\n")


def places():
    print(describe_machine(1))
    measured = Measured(1)
    curves = {}
    print_head("net", "places", "the last of them", "cross arcs, %", "imbalance, %")
    for net, names in CURVES:
        curves[net.name] = []
        for count, name in enumerate(names, 1):
            figures = measured.figures(net, RANKS, "off", f"places={','.join(names[:count])}")
            curves[net.name].append((count, figures))
            print_row(net.name, count, name, f"{figures.cross:.1f}", f"{figures.imbalance:.1f}")
        for allocation in ("local", "hash"):
            figures = measured.figures(net, RANKS, "off", allocation)
            print_row(net.name, f"`{allocation}`", "", f"{figures.cross:.1f}", f"{figures.imbalance:.1f}")
    draw(curves)
    return 0
