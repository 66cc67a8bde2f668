"""A picture of panels side by side, each with lines over the same places on the x axis; y is logarithmic."""

import dataclasses
import math

from bench_parts.curve import COLOURS, text

PANEL_WIDTH, PANEL_HEIGHT = 430, 330
LEFT, RIGHT, TOP, BOTTOM = 56, 26, 46, 46
LEGEND_LINE = 17
MORE_COLOURS = [*COLOURS, "#d98e04", "#16818a", "#6b6b6b"]


@dataclasses.dataclass
class Line:
    name: str
    colour: str
    is_dashed: bool
    points: list  # (x, y, is_hollow), by x; x as in the ticks of the picture


@dataclasses.dataclass
class Panel:
    title: str
    lines: list


def colour_of(number):
    return MORE_COLOURS[number % len(MORE_COLOURS)]


def y_ticks(values):
    """Round numbers, evenly spread on a logarithmic scale, from the last below the least value to the first above the largest."""
    least, most = min(values), max(values)
    ticks = [digit * 10.0**power for power in range(-4, 9) for digit in (1, 1.5, 2, 3, 5, 7)]
    low = max((tick for tick in ticks if tick <= least), default=ticks[0])
    high = min((tick for tick in ticks if tick >= most and tick > low), default=ticks[-1])
    return [tick for tick in ticks if low <= tick <= high]


class Frame:
    """Where things are in one panel."""

    def __init__(self, number, xs, ys):
        self._left = number * PANEL_WIDTH + LEFT
        self._xs = (min(xs), max(xs))
        self._ys = (math.log(ys[0]), math.log(ys[-1]))

    def left(self):
        return self._left

    def right(self):
        return self._left + PANEL_WIDTH - LEFT - RIGHT

    def x(self, value):
        low, high = self._xs
        return self._left + (value - low) / (high - low) * (PANEL_WIDTH - LEFT - RIGHT)

    def y(self, value):
        low, high = self._ys
        return PANEL_HEIGHT - BOTTOM - (math.log(value) - low) / (high - low) * (PANEL_HEIGHT - TOP - BOTTOM)


def grid(panel, frame, x_ticks, x_title, ticks):
    middle = (frame.left() + frame.right()) / 2
    yield text(middle, 22, panel.title)
    yield text(middle, PANEL_HEIGHT - 10, x_title)
    for value, label in x_ticks:
        x = frame.x(value)
        yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{PANEL_HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield text(x, PANEL_HEIGHT - BOTTOM + 16, label)
    for tick in ticks:
        y = frame.y(tick)
        yield f'<line x1="{frame.left()}" y1="{y:.1f}" x2="{frame.right()}" y2="{y:.1f}" stroke="#ddd"/>'
        yield text(frame.left() - 6, y + 4, f"{tick:g}", "end")


def curve(line, frame):
    spots = [(frame.x(x), frame.y(y), is_hollow) for x, y, is_hollow in line.points]
    dashes = ' stroke-dasharray="5 3"' if line.is_dashed else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in spots)
    yield f'<polyline fill="none" stroke="{line.colour}"{dashes} points="{path}"/>'
    for x, y, is_hollow in spots:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" stroke="{line.colour}" fill="{"white" if is_hollow else line.colour}"/>'


def legend(panels, notes):
    """The lines' names, each once, in columns below the panels; then the notes."""
    colours = {line.name: line.colour for panel in panels for line in panel.lines}
    columns = 4
    width = len(panels) * PANEL_WIDTH
    rows = math.ceil(len(colours) / columns)
    for number, (name, colour) in enumerate(colours.items()):
        x = LEFT + (number // rows) * (width - LEFT) / columns
        y = PANEL_HEIGHT + 8 + LEGEND_LINE * (number % rows)
        yield f'<circle cx="{x:.0f}" cy="{y - 4:.0f}" r="4" fill="{colour}"/>'
        yield text(x + 10, y, name, "start", colour)
    for number, note in enumerate(notes):
        yield text(LEFT - 6, PANEL_HEIGHT + 8 + LEGEND_LINE * (rows + number), note, "start")


def height(panels, notes):
    names = {line.name for panel in panels for line in panel.lines}
    return PANEL_HEIGHT + LEGEND_LINE * (math.ceil(len(names) / 4) + len(notes)) + 4


def draw(panels, x_ticks, x_title, notes):
    """An SVG. x_ticks: (x, label)."""
    width, total = len(panels) * PANEL_WIDTH, height(panels, notes)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{total}" fill="white"/>']
    for number, panel in enumerate(panels):
        panel.lines = [line for line in panel.lines if line.points]
        ticks = y_ticks([y for line in panel.lines for _, y, _ in line.points])
        frame = Frame(number, [x for x, _ in x_ticks], ticks)
        lines += grid(panel, frame, x_ticks, x_title, ticks)
        for line in panel.lines:
            lines += curve(line, frame)
    lines += legend(panels, notes)
    return "\n".join([*lines, "</svg>"]) + "\n"
