# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums up what was measured: ratios on paper, summary.json, and a page (page.py)."""

from __future__ import annotations

import json
import math
import platform
import subprocess
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from contenders import ANCHOR, CONTENDERS
from page import page_of
from results import Json

SYSTEM = ("libc.so", "libm.so", "libstdc++", "libgcc_s", "ld-linux", "libdl.so", "libpthread", "librt.so", "libz.so")


@dataclass(frozen=True)
class Quantity:
    """One number of a case: where it is in the records. Smaller is better."""

    name: str
    kind: str
    path: tuple[str, ...]
    unit: str
    scale: float
    relative_to_eager: bool = False  # it is a ratio to eager already

    def of(self, record: Json) -> float | None:
        value: object = record
        for key in self.path:
            if not isinstance(value, dict) or key not in value:
                return None
            value = value[key]
        return float(value) * self.scale if isinstance(value, (int, float)) else None


LATENCY = Quantity("latency, ratio to eager", "latency", ("wall_ratio",), "", 1, True)
QUANTITIES = (
    LATENCY,
    Quantity("CPU time of a run, ratio to eager", "latency", ("cpu_ratio",), "", 1, True),
    Quantity("cold start to first result", "start", ("cold", "wall"), "s", 1),
    Quantity("cold start, CPU time", "start", ("cold", "cpu"), "s", 1),
    Quantity("second start to first result", "start", ("warm", "wall"), "s", 1),
    Quantity("second start, CPU time", "start", ("warm", "cpu"), "s", 1),
    Quantity("peak private memory, pages of its own", "start", ("memory", "peak", "dirty"), "MB", 1e-6),
    Quantity("private memory after some runs, mapped files too", "start", ("memory", "steady", "all"), "MB", 1e-6),
)
Table = dict[str, dict[str, float]]  # model → contender → value


def table_of(records: list[Json], quantity: Quantity, threads: int) -> Table:
    table: Table = {}
    for record in records:
        if record.get("kind") != quantity.kind or record.get("threads") != threads:
            continue
        value = quantity.of(record)
        if value is not None:
            table.setdefault(record["model"], {})[record["contender"]] = value
    return table


def with_totals(records: list[Json]) -> list[Json]:
    """Private memory in all: pages of its own, and file pages that nobody else has mapped."""
    for record in records:
        if "memory" in record:
            steady = record["memory"]["steady"]
            steady["all"] = steady["dirty"] + steady["clean"]
    return records


def best_peer(row: dict[str, float]) -> float | None:
    return min((value for name, value in row.items() if CONTENDERS[name].role == "peer"), default=None)


def geometric_mean(values: list[float]) -> float | None:
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values and min(values) > 0 else None


def against_best(table: Table) -> Table:
    """Best peer over contender for each model: above one, the contender is ahead of all peers."""
    result: Table = {}
    for model, row in table.items():
        best = best_peer(row)
        if best:
            result[model] = {n: best / v for n, v in row.items() if v > 0 and CONTENDERS[n].role != "floor"}
    return result


def means(table: Table) -> dict[str, float | None]:
    """Over the models that all have done; of each over its own where there is none."""
    names = [name for name in CONTENDERS if any(name in row for row in table.values())]
    common = [row for row in table.values() if all(name in row for name in names)]
    rows = common or list(table.values())
    return {name: geometric_mean([row[name] for row in rows if name in row]) for name in names}


def marks(records: list[Json]) -> list[str]:
    """What went wrong: contenders that failed, and wrong results."""
    lines = []
    for record in records:
        where = f"{record.get('model')}, {record.get('contender')}, {record.get('threads')} threads"
        if "error" in record:
            lines.append(f"{where}: {record['kind']}: {record['error']}")
        elif record.get("problem"):
            lines.append(f"{where}: WRONG RESULTS: {record['problem']}")
    return lines


def needed_libraries(build: Path) -> int:
    """Bytes of buddy's libraries, and of what they need beyond the C and C++ libraries."""
    own = sorted({*(build / "lib").rglob("*.so"), *(build / "plugins").rglob("*.so")})
    files = {file.resolve() for file in own}
    for library in own:
        listed = subprocess.run(["ldd", library], capture_output=True, text=True, check=False).stdout
        for line in listed.splitlines():
            path = line.partition("=>")[2].split(" (")[0].strip()
            if path and not any(word in path for word in SYSTEM):
                files.add(Path(path).resolve())
    return sum(file.stat().st_size for file in files)


def package_bytes(name: str) -> int:
    files = metadata.distribution(name).files or []
    paths = (Path(str(file.locate())) for file in files)
    return sum(path.stat().st_size for path in paths if path.is_file())


def sizes(build: Path) -> dict[str, float]:
    """Megabytes that each needs on disk beside the model; Python itself and numpy are not counted for anybody."""
    result = {}
    for name, kind in CONTENDERS.items():
        if kind.role == "floor":
            continue
        found = sum(package_bytes(package) for package in kind.packages)
        result[name] = (found if kind.role == "peer" else needed_libraries(build)) / 1e6
    return result


def versions() -> dict[str, str]:
    names = ("torch", "openvino", "onnxruntime", "numpy")
    return {name: metadata.version(name) for name in names} | {"python": platform.python_version()}


def machine() -> str:
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in info if line.startswith("model name")), platform.machine())
    return f"{model}, {sum(line.startswith('processor') for line in info)} CPUs"


def worst_first(table: Table, best: Table) -> Table:
    """The models that buddy is furthest behind with come first; those that it has not done, last."""
    return dict(sorted(table.items(), key=lambda item: best.get(item[0], {}).get("buddy", math.inf)))


def symbolic_tables(latencies: Table, threads: int) -> list[Json]:
    """Symbolic sizes beside the same sizes known: what a contender keeps of its own speed."""
    kept: Table = {}
    for model, row in latencies.items():
        name, *options = model.split(",")
        known = latencies.get(",".join([name, *(option for option in options if option != "symbolic")]))
        if "symbolic" in options and known:
            kept[model] = {n: known[n] / row[n] for n in row if n in known and n != ANCHOR}
    name = "symbolic sizes: share of its own speed with known ones (larger is better)"
    return [{"name": name, "unit": "share", "threads": threads, "values": kept}] if kept else []


def bandwidth_tables(latencies: Table, threads: int) -> list[Json]:
    """How much of the memory's speed a run reaches if all that it did were reading each weight once."""
    floors = [name for name, kind in CONTENDERS.items() if kind.role == "floor"]
    shares = {
        model: {name: row[floor] / value for name, value in row.items() if name != floor}
        for model, row in latencies.items() for floor in floors if floor in row
    }
    name = "share of memory bandwidth (larger is better)"
    return [{"name": name, "unit": "share", "threads": threads, "values": shares}] if shares else []


def summary_of(records: list[Json], build: Path) -> Json:
    threads = sorted({r["threads"] for r in records if "threads" in r})
    tables: list[Json] = []
    for number in threads:
        for quantity in QUANTITIES:
            table = table_of(records, quantity, number)
            if table:
                best = against_best(table)
                tables.append({"name": quantity.name, "unit": quantity.unit, "threads": number, "values": worst_first(table, best),
                               "against_best_peer": best, "means": means(best)})
        latencies = table_of(records, LATENCY, number)
        tables += symbolic_tables(latencies, number) + bandwidth_tables(latencies, number)
    return {"machine": machine(), "versions": versions(), "disk_mb": sizes(build), "tables": tables,
            "loads": [round(r["load"], 1) for r in records], "marks": marks(records)}


def lines_of(table: Json) -> list[str]:
    names = [name for name in CONTENDERS if any(name in row for row in table["values"].values())]
    wide = max(16, *(len(name) + 2 for name in names))
    unit = f" [{table['unit']}]" if table["unit"] else ""
    left = max(20, *(len(model) + 1 for model in table["values"]))
    lines = ["", f"{table['name']}{unit}, {table['threads']} thread(s)"]
    lines.append(f"{'':{left}}" + "".join(f"{name:>{wide}}" for name in names))
    for model, row in table["values"].items():
        cells = (f"{row[name]:.3g}" if name in row else "-" for name in names)
        lines.append(f"{model:{left}}" + "".join(f"{cell:>{wide}}" for cell in cells))
    if "means" not in table:
        return lines
    cells = (f"{table['means'][name]:.2f}x" if table["means"].get(name) else "-" for name in names)
    return [*lines, f"{'of the best peer':{left}}" + "".join(f"{cell:>{wide}}" for cell in cells)]


def text_of(summary: Json) -> str:
    lines = [summary["machine"], "Smaller is better; where buddy is furthest behind comes first. Last line: geometric mean of best peer / contender."]
    for table in summary["tables"]:
        lines += lines_of(table)
    lines += ["", "on disk beside the model [MB]: " + ", ".join(f"{n} {v:.0f}" for n, v in summary["disk_mb"].items())]
    return "\n".join([*lines, *summary["marks"]])


def write(out: Path, all_records: list[Json], build: Path) -> Json:
    """Of several builds of buddy only the last one measured is shown."""
    latest: dict[tuple, Json] = {}
    for record in all_records:
        latest[record["kind"], record["model"], record["contender"], record["threads"]] = record
    records = with_totals(list(latest.values()))
    summary = summary_of(records, build)
    (out / "summary.json").write_text(json.dumps(summary | {"records": records}, indent=1) + "\n", encoding="utf-8")
    (out / "index.html").write_text(page_of(summary, records, ANCHOR), encoding="utf-8")
    return summary
