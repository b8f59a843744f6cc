# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chromium without a window, by the W3C's WebDriver protocol that chromedriver speaks: what the tests of pages need of it."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Self

DRIVER = shutil.which("chromedriver")
PROGRAM = shutil.which("chromium") or shutil.which("google-chrome")
IS_THERE = bool(DRIVER and PROGRAM)
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's name of an element's id
KEYS = {"ArrowUp": "\ue013", "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Enter": "\ue007",
        "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010", "Tab": "\ue004"}
THUMBNAIL = """
const [png, cell, done] = arguments, image = new Image();
image.onload = () => {
  const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height})
    .getContext("2d", {willReadFrequently: true});
  canvas.drawImage(image, 0, 0);
  const rows = [];
  for (let y = 0; y + cell <= image.height; y += cell) {
    const row = [];
    for (let x = 0; x + cell <= image.width; x += cell)
      row.push(Math.round(canvas.getImageData(x, y, cell, cell).data.reduce((sum, v, i) => i % 4 < 3 ? sum + v : sum, 0) / (3 * cell * cell)));
    rows.push(row);
  }
  done(rows);
};
image.src = "data:image/png;base64," + png;
"""


class Browser:
    """One browser; ``with`` ends it."""

    def __init__(self) -> None:
        self.driver = subprocess.Popen([str(DRIVER), "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.driver.stdout is not None
        port = next((found[1] for line in self.driver.stdout if (found := re.search(r"on port (\d+)\.", line))), None)
        self.address = f"http://127.0.0.1:{port}/session"
        # Without a sandbox where root runs it; it opens nothing but our own files.
        arguments = ["--headless=new", "--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"binary": PROGRAM, "args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL"}}
        try:
            self.address += "/" + self.call("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        except BaseException:
            self.driver.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()

    def call(self, method: str, what: str, body: dict[str, Any] | None = None) -> Any:
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + what, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, page: Path) -> None:
        self.call("POST", "/url", {"url": page.resolve().as_uri()})

    def js(self, script: str, *arguments: Any) -> Any:
        """The value of an expression; ``arguments`` are its a[0], a[1], …"""
        return self.call("POST", "/execute/sync", {"script": f"const a = arguments; return ({script});", "args": list(arguments)})

    def click(self, selector: str) -> None:
        """As a person does: the element must be seen, and nothing lie over it."""
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]
        self.call("POST", f"/element/{element}/click")

    def press(self, *keys: str) -> None:
        typed = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": typed}]})

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width: int, height: int, is_phone: bool = False) -> None:
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)

    def scheme(self, name: str) -> None:
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self) -> bytes:
        """A PNG of what is seen."""
        return base64.b64decode(self.call("GET", "/screenshot"))

    def thumbnail(self, picture: bytes, cell: int) -> list[list[int]]:
        """How light each square of so many pixels of a PNG is, 0 to 255. Leaves the page."""
        self.call("POST", "/url", {"url": "about:blank"})
        return self.call("POST", "/execute/async", {"script": THUMBNAIL, "args": [base64.b64encode(picture).decode(), cell]})

    def complaints(self) -> list[str]:
        """What stands in the console since the last call: errors, warnings and requests that were refused."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]
