# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was measured, kept line by line, and what one measurement is of."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contenders import CONTENDERS
from session import Job

Json = dict[str, Any]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Results:
    """Lines of JSON on disk; the last one of a key counts."""

    def __init__(self, path: Path, again: bool) -> None:
        self.path = path
        self.records: dict[str, Json] = {}
        self.is_read_only = again  # what is there is shown, but counts as not measured
        self.new: set[str] = set()
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                self.records[record["key"]] = record

    def __contains__(self, key: str) -> bool:
        return key in (self.new if self.is_read_only else self.records)

    def add(self, key: str, record: Json) -> None:
        record = {"key": key, "load": os.getloadavg()[0]} | record
        self.records.pop(key, None)  # the order is that of measuring
        self.records[key] = record
        self.new.add(key)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def digest_of(build: Path) -> str:
    """Changes with the libraries of the build, so that a result is of one build."""
    digest = hashlib.sha256()
    for file in sorted([*build.glob("lib/**/*.so"), build / "bin" / "buddy"]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@dataclass(frozen=True)
class Case:
    """A model and a number of threads, with what measurements of it have in common."""

    model: str
    threads: int
    out: Path
    build: Path
    digest: str
    timeout: float

    @property
    def folder(self) -> Path:
        return self.out / "models" / self.model

    def caches(self, name: str) -> Path:
        """What a contender keeps from one process to the next."""
        return self.out / "caches" / f"{self.model}.{name}.{self.threads}"

    def empty_caches(self, name: str) -> Path:
        folder = self.caches(name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def job(self, name: str, **options: Any) -> Job:
        return Job(name, self.folder / "model", self.threads, {"build": str(self.build)} | options)

    def key(self, kind: str, name: str) -> str:
        words = [kind, self.model, name, str(self.threads)]
        return " ".join(words if CONTENDERS[name].role != "buddy" else [*words, self.digest])

    def record(self, kind: str, name: str) -> Json:
        return {"kind": kind, "model": self.model, "contender": name, "threads": self.threads}
