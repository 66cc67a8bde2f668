"""Tables as Markdown, and all figures as CSV."""

import csv
import io

# Of a store, as in the JSON; empty where a store has no such thing.
STORE_FIELDS = ["kind", "bytes", "bytes_per_row", "key_bits", "k", "hash_bits", "index_bytes", "link_bytes", "key_bytes", "cache_bytes",
                "explicit_rows", "explicit_by_k", "explicit_without_parent", "explicit_by_label", "mean_chain", "longest_chain",
                "comparisons", "comparison_links", "reads", "read_links", "cache_hits", "updated_predecessors"]

QUICK_NOTE = "**These nets are smaller than the paper's: only what was run with all of them can be compared.**\n\n"


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def grouped(number):
    return f"{number:,}".replace(",", " ")


def percent(ratio):
    return f"{100 * ratio:.0f}"


def seconds(result, digits):
    return f"{result.best():.{digits}f}" if result.seconds else ""


def time_ratio(result, base):
    """Of two that were measured."""
    return result.best() / base.best()


def time_percent(result, base):
    """Of the base's time; a bound where the run did not end in time, empty where there was none."""
    if not base.seconds:
        return ""
    if result.seconds:
        return percent(time_ratio(result, base))
    return "" if result.limit is None else f"> {percent(result.limit / base.best())}"


def bytes_per_row(result):
    value = result.store("bytes_per_row")
    return "" if value is None else f"{value:.1f}"


def space_percent(result, base):
    mine, other = result.store("bytes"), base.store("bytes")
    return "" if mine is None or not other else percent(mine / other)


def comma_separated(work, measured):
    """One line for each net and variant."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["net", "model", "variant", "options", "states", "arcs", "best_seconds", "all_seconds", "late_after", "waiting_bytes",
                    "peak_rss_bytes", *STORE_FIELDS])
    for net, variants in work.items():
        for variant, options in variants.items():
            result = measured.result(net, variant)
            ended = result.report is not None
            table.writerow([net.name, net.title(), " ".join(variant), " ".join(options), net.states, net.arcs,
                            f"{result.best():.4f}" if ended else "", " ".join(f"{seconds:.4f}" for seconds in result.seconds),
                            "" if result.limit is None else result.limit, result.report["worklist"]["bytes"] if ended else "",
                            max(result.report["memory"]["peak_rss_bytes_per_rank"]) if ended else "",
                            *("" if result.store(field) is None else result.store(field) for field in STORE_FIELDS)])
    return text.getvalue()
