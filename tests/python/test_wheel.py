# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a wheel has in place of links."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "sdk" / "python" / "backend" / "libraries.cmake"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_cmake_and_pkg_config_name_the_libraries_that_are_there(tmp_path):
    folder = tmp_path / "buddy" / "lib"
    package = folder / "cmake" / "Buddy" / "BuddyTargets-release.cmake"
    package.parent.mkdir(parents=True)
    text = ""
    for name, version, soname in (("buddy", "0.1.0", "0"), ("buddy_mlir", "0.1.0", "1"), ("buddy_model", "0.11.0", "0")):
        (folder / f"lib{name}.so.{version}").write_text(name)
        (folder / f"lib{name}.so.{soname}").symlink_to(f"lib{name}.so.{version}")
        (folder / f"lib{name}.so").symlink_to(f"lib{name}.so.{soname}")
        text += f'IMPORTED_LOCATION_RELEASE "${{_IMPORT_PREFIX}}/buddy/lib/lib{name}.so.{version}"\n'
    (folder / "libbuddy_kit.a").write_text("")
    told = folder / "pkgconfig" / "buddy.pc"
    told.parent.mkdir()
    told.write_text("Libs: -L${libdir} -lbuddy_model -lbuddy_mlir -lbuddy\n")
    package.write_text(text + 'IMPORTED_LOCATION_RELEASE "${_IMPORT_PREFIX}/buddy/lib/libbuddy_kit.a"\n')
    for _ in range(2):  # an installation over one that is there
        subprocess.run(["cmake", f"-DCMAKE_INSTALL_PREFIX={tmp_path}", "-P", SCRIPT], check=True, timeout=60)
        assert not any(path.is_symlink() for path in folder.iterdir())
        named = re.findall(r"\$\{_IMPORT_PREFIX\}/([^\"]+)", package.read_text())
        assert len(named) == 4 and all((tmp_path / name).is_file() for name in named), named
        assert (folder / "libbuddy_mlir.so.1").read_text() == "buddy_mlir"
        assert told.read_text() == "Libs: -L${libdir} -l:libbuddy_model.so.0 -l:libbuddy_mlir.so.1 -l:libbuddy.so.0\n"
