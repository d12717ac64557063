"""Which package may know which, read from the imports themselves.

Imports inside functions and under `TYPE_CHECKING` count like any other.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PROJECT = "keystone_roundtable"
ROOT = REPOSITORY / PROJECT

PURE = ("core", "reading", "formats")
# Each package, and which others of the project it may import besides itself.
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "reading": {"core"},
    "formats": {"core"},
    "content": {"core", "reading"},
    "models": {"core", "reading"},
    "seats": {"core", "reading"},
    "stores": {"core", "reading"},
    "terminal": {"core", "reading"},
    "runtime": set(PURE),
    "review": {"core", "stores", "content"},
    "pipeline": {"core", "runtime"},
}
WIRES_EVERYTHING = {"cli", "__main__", "library"}
# The project's own `__init__` opens the Python door when somebody asks for it, and only then.
OPENED_LATE = (PROJECT, f"{PROJECT}.library")

# Third-party libraries, and the only packages that may import them.
KEPT_IN: dict[str, set[str]] = {
    "prompt_toolkit": {"terminal"},
    "questionary": {"terminal"},
    "rich": {"terminal"},
    "jinja2": {"content"},
    "platformdirs": {"content"},
    "pydantic_ai": {"models"},
    "genai_prices": {"models"},
    "opentelemetry": {"models"},
    "yaml": {"content"},
    "redis": {"stores"},
    "duckdb": {"review"},
    "acp": {"seats"},
    "mcp": {"pipeline"},
    "mcp_types": {"pipeline"},
    "vl_convert": {"review"},
    "anthropic": {"models"},
    "openai": {"models"},
    "google": {"models"},
    "httpx": {"models"},
    "pydantic": {*MAY_IMPORT, "cli"} - {"terminal"},
    "pydantic_core": {"content", "review"},
}

# What pure code may take from the standard library: nothing that reads a clock, draws a number, or
# touches a file, a process or the network.
PURE_STDLIB = {
    "__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "datetime",
    "decimal", "difflib", "enum", "fractions", "functools", "hashlib", "heapq", "itertools", "json",
    "math", "operator", "re", "statistics", "string", "textwrap", "types", "typing", "unicodedata",
    "zlib",
}  # fmt: skip
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__", "breakpoint"}
CLOCK_READINGS = {"now", "utcnow", "today", "fromtimestamp"}

PROCESS_MODULES = {"subprocess", "pty", "multiprocessing"}
PROCESS_CALLS = {
    "system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp",
    "create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell",
}  # fmt: skip
STARTS_PROCESSES = f"{PROJECT}.runtime.processes"


@dataclass(frozen=True)
class Imported:
    """One import: the module it stands in, what it takes, and where."""

    importer: str
    target: str
    place: str

    @property
    def package(self) -> str:
        return package_of(self.importer)


def package_of(module: str) -> str:
    """`core` for `keystone_roundtable.core.session`; "" for the project itself."""
    return module.split(".")[1] if "." in module else ""


@cache
def modules() -> dict[str, Path]:
    """Every module of the project by name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(REPOSITORY).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def imports_of(module: str) -> Iterator[Imported]:
    path = modules()[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree_of(module)):
        place = f"{path.relative_to(REPOSITORY)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            for name in node.names:
                yield Imported(module, name.name, place)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for name in node.names:
                inner = f"{base}.{name.name}"
                yield Imported(module, inner if inner in modules() else base, place)


@cache
def all_imports() -> tuple[Imported, ...]:
    return tuple(imported for module in modules() for imported in imports_of(module))


def within_project(imported: Imported) -> bool:
    return imported.target.split(".")[0] == PROJECT


def pure_modules() -> list[str]:
    return [module for module in modules() if package_of(module) in PURE]


def told(breaches: list[Imported]) -> list[str]:
    return [f"{b.place} imports {b.target}" for b in breaches]


# -- the project's own packages --------------------------------------------------------


def test_every_package_has_its_rule() -> None:
    packages = {package_of(module) for module in modules()} - {""}
    assert packages - WIRES_EVERYTHING <= set(MAY_IMPORT)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_what_its_rule_names(package: str) -> None:
    allowed = {*MAY_IMPORT[package], package, ""}
    breaches = [
        i
        for i in all_imports()
        if i.package == package and within_project(i) and package_of(i.target) not in allowed
    ]
    assert told(breaches) == []


def test_nothing_imports_the_command_line_but_itself() -> None:
    breaches = [
        i
        for i in all_imports()
        if within_project(i)
        and package_of(i.target) in WIRES_EVERYTHING
        and i.package not in WIRES_EVERYTHING
        and (i.importer, i.target) != OPENED_LATE
    ]
    assert told(breaches) == []


def test_the_python_door_is_not_loaded_until_it_is_asked_for(tmp_path: Path) -> None:
    script = (
        f"import sys, {PROJECT}; before = '{PROJECT}.library' in sys.modules;"
        f"{PROJECT}.Session; print(before, '{PROJECT}.library' in sys.modules)"
    )
    done = run_apart(script, tmp_path)
    assert (done.stdout, done.stderr) == ("False True\n", "")


def test_the_reading_of_imports_sees_them_wherever_they_stand() -> None:
    """Relative ones, those inside functions, those under `TYPE_CHECKING`, and submodules."""
    seen = {(i.importer, i.target) for i in all_imports()}
    assert (f"{PROJECT}.core.fold", f"{PROJECT}.core.events") in seen
    assert (f"{PROJECT}.cli.main", f"{PROJECT}.cli.verbs.holding") in seen
    assert (f"{PROJECT}.cli.main", "argparse") in seen


# -- libraries -------------------------------------------------------------------------


def test_libraries_are_imported_only_where_they_belong() -> None:
    breaches = []
    for imported in all_imports():
        library = imported.target.split(".")[0]
        if library == PROJECT or library in sys.stdlib_module_names:
            continue
        if imported.package not in KEPT_IN.get(library, set()):
            breaches.append(imported)
    assert told(breaches) == []


def test_processes_are_started_in_one_module() -> None:
    breaches = [
        i
        for i in all_imports()
        if i.target.split(".")[0] in PROCESS_MODULES and i.importer != STARTS_PROCESSES
    ]
    assert told(breaches) == []
    called = [
        f"{modules()[module].relative_to(REPOSITORY)}:{node.lineno} calls {node.func.attr}"
        for module in modules()
        if module != STARTS_PROCESSES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.attr in PROCESS_CALLS or node.func.attr.startswith(("exec", "spawn")))
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("os", "asyncio", "loop")
    ]
    assert called == []


# -- purity ----------------------------------------------------------------------------


def written_types(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if (written := getattr(node, name, None)) is not None:
                yield from ast.walk(written)


def taken_at_run_time(module: str, imported: Imported) -> bool:
    """False where everything the import brings is named in annotations alone."""
    brought: set[str] = set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module == imported.target:
            brought |= {name.asname or name.name for name in node.names}
        elif isinstance(node, ast.Import):
            brought |= {
                n.asname or n.name.split(".")[0] for n in node.names if n.name == imported.target
            }
    in_types = {id(node) for node in written_types(tree_of(module))}
    return any(
        isinstance(node, ast.Name) and node.id in brought and id(node) not in in_types
        for node in ast.walk(tree_of(module))
    )


def test_pure_code_uses_nothing_of_the_standard_library_that_has_effects() -> None:
    """A type such as `Path` may be named in an annotation: that touches no file."""
    breaches = [
        i
        for module in pure_modules()
        for i in imports_of(module)
        if (library := i.target.split(".")[0]) in sys.stdlib_module_names
        and library not in PURE_STDLIB
        and not (library == "pathlib" and not taken_at_run_time(module, i))
    ]
    assert told(breaches) == []


def test_pure_code_opens_prints_and_asks_nothing_and_reads_no_clock() -> None:
    breaches = []
    for module in pure_modules():
        for node in ast.walk(tree_of(module)):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if name in IMPURE_CALLS or attribute in CLOCK_READINGS:
                place = f"{modules()[module].relative_to(REPOSITORY)}:{node.lineno}"
                breaches.append(f"{place} calls {name or attribute}")
    assert breaches == []


# -- importing does nothing ------------------------------------------------------------

WATCHED_IMPORTS = """
import importlib, sys, threading

effects = []
WRITING = set("wax+")
ACTING = (
    "subprocess.", "socket.", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link",
    "os.symlink", "os.chmod", "os.system", "os.exec", "os.fork", "os.posix_spawn", "shutil.",
    "tempfile.", "os.putenv", "_thread.start_new_thread",
)

def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if (isinstance(mode, str) and WRITING & set(mode)) or (flags or 0) & 3:
            effects.append(f"{event} {path} {mode}")
    elif event.startswith(ACTING):
        effects.append(f"{event} {arguments}")

libraries, *names = sys.argv[1:]
for library in libraries.split(","):
    try:
        importlib.import_module(library)
    except ModuleNotFoundError:
        pass  # an extra that is not installed
sys.addaudithook(watch)
for name in names:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name.split(".")[0] == "keystone_roundtable":
            raise
for effect in effects:
    print(effect)
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        print(thread)
"""


def run_apart(script: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=folder,
        env={
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(folder),
            "PATH": "",
        },
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_importing_any_module_does_nothing_that_shows(tmp_path: Path) -> None:
    """No file is written, no thread or process started, nothing printed. What a library does when
    it is imported is not ours, so they come first.
    """
    done = run_apart(WATCHED_IMPORTS, tmp_path, ",".join(KEPT_IN), *modules())
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert list(tmp_path.iterdir()) == []


def test_the_entry_point_loads_no_heavy_library(tmp_path: Path) -> None:
    """`--help` and a wrong option answer at once."""
    script = f"import sys, {PROJECT}.cli.main; print(*sys.modules)"
    done = run_apart(script, tmp_path)
    assert done.stderr == ""
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    heavy = {*KEPT_IN, "asyncio", "importlib_resources", "jsonschema"}
    assert PROJECT in loaded
    assert loaded & heavy == set()
