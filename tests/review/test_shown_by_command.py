"""`review` typed: the page in a file, the same figures as `--json`, a real terminal's screen."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from page_tables import PageReader
from real.tmux import Tmux
from sample_store import write_store

REPOSITORY = Path(__file__).parents[2]
NEEDS_TMUX = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_store(tmp_path_factory.mktemp("store") / "shop")


def review(store: Path, *options: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the command; `before` is a folder whose modules come first."""
    path = os.pathsep.join(filter(None, (before, str(REPOSITORY))))
    return subprocess.run(
        [sys.executable, "-m", "keystone_roundtable", "review", "--root", str(store), *options],
        cwd=store,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_the_page_and_the_json_tell_the_same(store, tmp_path):
    pytest.importorskip("vl_convert")
    file = tmp_path / "review.html"
    done = review(store, "--html", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    told = json.loads(review(store, "--json").stdout)
    read = PageReader(file.read_text(encoding="utf-8"))
    months = read.table("Finished sessions by month").column("Decided")
    assert months == {row["month"]: str(row["finished"]) for row in told["by_month"]}
    assert sum(map(int, filter(None, months.values()))) == told["events"]["finished"] > 200
    assert len(read.table("Lines that could not").rows) == told["broken_count"] == 2


def test_only_its_owner_can_read_the_page(store, tmp_path):
    pytest.importorskip("vl_convert")
    file = tmp_path / "review.html"
    file.write_text("an older one", encoding="utf-8")
    file.chmod(0o644)
    assert review(store, "--html", str(file)).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["review.html"]


def test_a_folder_that_is_not_there_is_named(store, tmp_path):
    pytest.importorskip("vl_convert")
    done = review(store, "--html", str(tmp_path / "nowhere" / "review.html"))
    assert done.returncode == 1
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_extra_one_line_says_what_to_install(store, tmp_path):
    (tmp_path / "vl_convert.py").write_text("raise ImportError('not installed')\n")
    file = tmp_path / "review.html"
    done = review(store, "--html", str(file), before=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'keystone-roundtable[pages]'" in done.stderr
    assert len(done.stderr.strip().split("\n")) <= 2
    assert not file.exists()


def test_in_a_pipe_every_month_is_one_line(store):
    done = review(store)
    months = json.loads(review(store, "--json").stdout)["by_month"]
    lines = [line for line in done.stdout.split("\n") if line.startswith("- 20")]
    assert [line[2:9] for line in lines] == [row["month"] for row in months]
    assert "\x1b" not in done.stdout


@pytest.mark.real
@NEEDS_TMUX
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_on_a_real_terminal_tables_and_bars_fit(store, columns):
    """Where a line were too long, the terminal would go on with it in the next row."""
    with Tmux(["review", "--root", str(store)], store, columns=columns, rows=200) as terminal:
        rows = [row.rstrip() for row in terminal.wait("[status 0]", "Lines left out").split("\n")]
    wide = next(row for row in rows if row.startswith("writing-plan"))
    assert "█" in wide
    for label in ("align ", "median ", "writing-plan "):
        assert [row for row in rows if row.startswith(label)]
    assert "Calibration" in rows
    assert rows[rows.index("Calibration") - 1] == ""


@pytest.mark.real
@NEEDS_TMUX
def test_a_real_terminal_in_another_encoding_shows_ascii(store):
    settings = {"LANG": "C", "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    arguments = ["review", "--root", str(store)]
    with Tmux(arguments, store, columns=100, rows=200, environment=settings) as terminal:
        screen = terminal.wait("[status 0]", "Lines left out")
    assert screen.isascii()
    assert "####" in screen
