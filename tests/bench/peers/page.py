"""The page: one file with its plots inside, as SVG."""

from __future__ import annotations

import html
import io

import matplotlib

matplotlib.use("svg")

from contenders import CONTENDERS  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from results import Json  # noqa: E402

COLOURS = {
    "eager": "#9a9a9a",
    "inductor": "#f2b134",
    "inductor-tuned": "#c77f0a",
    "openvino": "#7b5ea7",
    "onnxruntime": "#3a7ca5",
    "buddy": "#c0392b",
    "buddy-generated": "#e57368",
    "buddy-vendor": "#7b241c",
    "reading": "#4caf50",
}
PHASES = {"import": "#cccccc", "read": "#8fb8de", "compile": "#f2b134", "first": "#c0392b"}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: .5rem 0 1.5rem } td, th { padding: .2rem .7rem; text-align: right }
th { font-weight: 600 } td:first-child, th:first-child { text-align: left } tr:nth-child(even) { background: #f5f5f5 }
td.best { font-weight: 700 } tr.mean td { border-top: 1px solid #888 } svg { max-width: 100%; height: auto }
.marks { color: #a00 }
"""


def names_of(table: Json) -> list[str]:
    return [name for name in CONTENDERS if any(name in row for row in table["values"].values())]


def svg_of(figure: Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]


def bars(table: Json) -> str:
    """Groups of bars, one group a model; a logarithmic axis where values are far apart."""
    names, models = names_of(table), list(table["values"])
    figure, axes = pyplot.subplots(figsize=(11, 3.2))
    width = 0.85 / len(names)
    for k, name in enumerate(names):
        present = [(i, table["values"][m][name]) for i, m in enumerate(models) if name in table["values"][m]]
        axes.bar([i + k * width for i, _ in present], [v for _, v in present], width, label=name, color=COLOURS[name])
    values = [v for row in table["values"].values() for v in row.values() if v > 0]
    if max(values) > 20 * min(values):
        axes.set_yscale("log")
    axes.set_xticks([i + 0.85 / 2 - width / 2 for i in range(len(models))], models)
    axes.set_ylabel(table["unit"] or "ratio to eager")
    axes.legend(ncols=4, fontsize="small", frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1))
    axes.spines[["top", "right"]].set_visible(False)
    return svg_of(figure)


def phases(records: list[Json], threads: int) -> str:
    """What a cold start is made of, for those whose process told."""
    told = [r for r in records if r["kind"] == "start" and r["threads"] == threads and "phases" in r.get("cold", {})]
    if not told:
        return ""
    figure, axes = pyplot.subplots(figsize=(11, 0.24 * len(told) + 0.8))
    left = [0.0] * len(told)
    labels = [f"{r['model']}  {r['contender']}" for r in told]
    for phase, colour in PHASES.items():
        widths = [r["cold"]["phases"][phase] for r in told]
        axes.barh(range(len(told)), widths, left=left, color=colour, label=phase)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.set_yticks(range(len(told)), labels, fontsize="small")
    axes.invert_yaxis()
    axes.set_xscale("symlog", linthresh=5)
    axes.set_xlabel("s")
    axes.legend(frameon=False, ncols=4, fontsize="small")
    axes.spines[["top", "right"]].set_visible(False)
    return svg_of(figure)


def grid(table: Json) -> str:
    names = names_of(table)
    rows = ["<tr><th></th>" + "".join(f"<th>{html.escape(name)}</th>" for name in names) + "</tr>"]
    for model, row in table["values"].items():
        values = [value for name, value in row.items() if CONTENDERS[name].role != "floor"]
        least = min(values) if "means" in table else max(values)
        cells = (
            f'<td{" class=best" if row[name] == least else ""}>{row[name]:.3g}</td>' if name in row else "<td>–</td>"
            for name in names
        )
        rows.append(f"<tr><td>{html.escape(model)}</td>{''.join(cells)}</tr>")
    if "means" not in table:
        return f"<table>{''.join(rows)}</table>"
    cells = (f"<td>{table['means'][n]:.2f}×</td>" if table["means"].get(n) else "<td>–</td>" for n in names)
    what = "best peer / contender, geometric mean over the models that all have done"
    rows.append(f"<tr class=mean><td>{what}</td>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def html_of(summary: Json, records: list[Json], anchor: str) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    loads = summary["loads"] or [0]
    parts = [
        f"<!doctype html><meta charset=utf-8><title>buddy and its peers</title><style>{STYLE}</style>",
        "<h1>buddy and its peers</h1>",
        f"<p>{html.escape(summary['machine'])}; {html.escape(versions)}. float32. Load average while measuring: "
        f"{min(loads):.1f} to {max(loads):.1f}. Latencies are ratios to {anchor} in the same round. Smaller is better; "
        "the last line of a table is the geometric mean of the best peer over each contender: above 1 is ahead of all "
        "peers.</p>",
    ]
    for mark in summary["marks"]:
        parts.append(f"<p class=marks>{html.escape(mark)}</p>")
    for table in summary["tables"]:
        unit = f" [{table['unit']}]" if table["unit"] else ""
        parts.append(f"<h2>{table['name']}{unit}, {table['threads']} thread(s)</h2>{bars(table)}{grid(table)}")
    for threads in sorted({table["threads"] for table in summary["tables"]}):
        plot = phases(records, threads)
        if plot:
            parts.append(f"<h2>What a peer's cold start is made of, {threads} thread(s)</h2>{plot}")
    disk = "".join(f"<tr><td>{name}</td><td>{size:.0f}</td></tr>" for name, size in summary["disk_mb"].items())
    parts.append(f"<h2>On disk beside the model [MB]</h2><table>{disk}</table>")
    return "\n".join(parts) + "\n"
