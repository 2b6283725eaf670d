"""The runner: ``python -m exercises list | next | check | watch | hint | …``.

Exit codes: 0 done, 1 a check failed, 2 the request cannot be carried out.
"""

import argparse
import getpass
import json
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax

from exercises.engine import exam, export, render
from exercises.engine.catalogue import UnknownExercise, find, load_all
from exercises.engine.checking import check_file
from exercises.engine.exercise import Exercise
from exercises.engine.grader import grade_answer
from exercises.engine.planning import Settings
from exercises.engine.progress import Progress, Standing
from exercises.engine.stub import solution_of
from exercises.engine.text import book_link, say
from exercises.engine.verdict import NOT_STARTED, PASSED
from exercises.engine.watch import changes
from exercises.engine.workspace import MissingFile, Workspace


class BadRequest(Exception):
    """The request cannot be carried out; the message says what to do instead."""


class Runner:
    """One method a command; each returns the exit code."""

    def __init__(self, workspace: Workspace, console: Console) -> None:
        self.workspace = workspace
        self.console = console
        self.progress = Progress(workspace.progress)

    def say(self, text: str, style: str = "") -> None:
        """Print one line as it is: no markup, no wrapping in the middle of a path."""
        self.console.print(text, style=style, soft_wrap=True, markup=False, highlight=False)

    def list(self, _: argparse.Namespace) -> int:
        """All exercises with their state."""
        standings = self.progress.standings()
        for exercise in load_all().values():
            standing = standings.get(exercise.id, Standing())
            mark, style = MARKS[standing.state]
            minutes = f"{exercise.minutes:>3} min"
            self.say(f"{mark} {exercise.id:<22} {minutes}  {exercise.text.title}", style)
        return 0

    def next(self, _: argparse.Namespace) -> int:
        """The first exercise that is not passed."""
        standings = self.progress.standings()
        for exercise in load_all().values():
            if standings.get(exercise.id, Standing()).state != PASSED:
                values = {"id": exercise.id, "title": exercise.text.title}
                self.say(say("next_is", minutes=exercise.minutes, **values), "bold")
                self.say(exercise.text.summary)
                self.say(say("edit_file", path=self.workspace.shown(exercise), id=exercise.id))
                return 0
        self.say(say("all_done", count=len(load_all())))
        return 0

    def check(self, options: argparse.Namespace) -> int:
        """Grade files; without ids, all that were started."""
        settings = read_settings(options.seed_file)
        chosen = self._chosen(options.ids) or self._started()
        passed = [self._check_one(exercise, settings) for exercise in chosen]
        return 0 if all(passed) else 1

    def _check_one(self, exercise: Exercise, settings: Settings) -> bool:
        verdict = check_file(exercise, self.workspace, settings)
        render.show(verdict, self.console)
        if verdict.state == NOT_STARTED:
            self.say(say("edit_file", path=self.workspace.shown(exercise), id=exercise.id))
        return verdict.passed

    def _started(self) -> Sequence[Exercise]:
        standings = self.progress.standings()
        every = list(load_all().values())
        started = [e for e in every if standings.get(e.id, Standing()).state != NOT_STARTED]
        return started or every[:1]

    def watch(self, options: argparse.Namespace) -> int:
        """Check on every save until Ctrl-C."""
        chosen = self._chosen(options.ids) or list(load_all().values())
        by_path = {self.workspace.path(exercise): exercise for exercise in chosen}
        names = ", ".join(self.workspace.shown(exercise) for exercise in chosen)
        self.say(say("watching", paths=names))
        first = len(chosen) > 1  # with many files, wait for a save instead of checking them all
        pending = set(by_path) if first else set()
        try:
            for path in changes(list(by_path), options.interval):
                if path in pending:
                    pending.discard(path)
                    continue
                self._check_one(by_path[path], read_settings(options.seed_file))
        except KeyboardInterrupt:
            self.say(say("watch_end"))
        return 0

    def hint(self, options: argparse.Namespace) -> int:
        """The next hint, or a given one."""
        exercise = find(options.id)
        hints = exercise.text.hints
        seen = self.progress.standings().get(exercise.id, Standing()).hints
        number = options.number if options.number is not None else min(seen + 1, len(hints))
        if not 1 <= number <= len(hints):
            raise BadRequest(say("hint_range", total=len(hints), number=number))
        self.progress.add(exercise.id, "hint", number=number)
        self.say(say("hint_head", number=number, total=len(hints), id=exercise.id), "bold")
        self.say(hints[number - 1])
        self.say(say("hint_more" if number < len(hints) else "hint_last", id=exercise.id), "dim")
        return 0

    def explain(self, options: argparse.Namespace) -> int:
        """The idea behind an exercise, and where the book has it."""
        exercise = find(options.id)
        self.say(exercise.text.title, "bold")
        self.say(exercise.text.explain)
        self.say(book_link(exercise.text.book), "dim")
        return 0

    def status(self, _: argparse.Namespace) -> int:
        """Numbers, and the mistakes made on the way."""
        standings = self.progress.standings()
        known = [standings.get(key, Standing()) for key in load_all()]
        self.say(
            say(
                "status_line",
                passed=sum(s.state == PASSED for s in known),
                total=len(known),
                revealed=sum(s.revealed for s in known),
                attempts=sum(s.attempts for s in known),
            )
        )
        for key, standing in zip(load_all(), known, strict=True):
            mark, style = MARKS[standing.state]
            mistakes = ", ".join(f"{n} × {code}" for code, n in standing.mistakes.most_common(4))
            self.say(f"{mark} {key:<22} {standing.state:<12} {mistakes}", style)
        return 0

    def reset(self, options: argparse.Namespace) -> int:
        """The empty stub again; the learner's text is kept."""
        for exercise in self._chosen(options.ids):
            existed = self.workspace.path(exercise).exists()
            backup = self.workspace.reset(exercise)
            path = self.workspace.shown(exercise)
            if backup is None and existed:
                self.say(say("reset_clean", path=path))
                continue
            self.progress.add(exercise.id, "reset")
            self.say(say("reset_done", path=path, backup=backup))
        return 0

    def solution(self, options: argparse.Namespace) -> int:
        """Ours, after a pass or with --reveal."""
        exercise = find(options.id)
        standing = self.progress.standings().get(exercise.id, Standing())
        if standing.state != PASSED and not options.reveal:
            raise BadRequest(say("solution_closed", id=exercise.id))
        if standing.state != PASSED:
            self.progress.add(exercise.id, "reveal")
        code = solution_of(exercise)
        if self.console.is_terminal:
            self.console.print(Syntax(code, "python", background_color="default"))
        else:
            self.say(code)
        return 0

    def export(self, options: argparse.Namespace) -> int:
        """Grade anew and write results.json files."""
        settings = read_settings(options.seed_file)
        chosen = self._chosen(options.ids) or list(load_all().values())
        verdicts = [grade_answer(e, self.workspace.answer(e), settings) for e in chosen]
        standings = self.progress.standings()
        written = export.write_all(Path(options.out), verdicts, standings, options.name)
        self.say(say("exported", paths=", ".join(map(str, written))))
        return 0

    def exam(self, options: argparse.Namespace) -> int:
        """Bundle stubs and instructions for an exam with a secret seed."""
        settings = read_settings(options.seed_file)
        if options.seed_file is None:
            settings = Settings(seed=secrets.randbelow(2**31) + 1)
        written = exam.write_exam(Path(options.out), self._chosen(options.ids), settings)
        self.say(say("exported", paths=", ".join(map(str, written))))
        return 0

    def grade(self, options: argparse.Namespace) -> int:
        """Grade one folder a student, and report the commonest mistakes."""
        settings = read_settings(options.seed_file)
        folders = Path(options.folder), Path(options.out)
        chosen = self._chosen(options.ids)
        reports = exam.grade_folders(folders[0], chosen, settings, folders[1], self.say)
        for line in export.class_report(reports):
            self.say(line)
        return 0

    def merge(self, options: argparse.Namespace) -> int:
        """Take in progress files from other machines."""
        new = sum(self.progress.merge_file(Path(file)) for file in options.files)
        self.say(say("merged", count=len(options.files), events=new))
        return 0

    def report(self, options: argparse.Namespace) -> int:
        """The commonest mistakes of a class."""
        for line in export.class_report(Path(file) for file in options.files):
            self.say(line)
        return 0

    def _chosen(self, ids: Sequence[str]) -> Sequence[Exercise]:
        return [find(name) for name in ids]


MARKS = {PASSED: ("✓", "green"), "in progress": ("◐", "yellow"), NOT_STARTED: ("○", "")}


def read_settings(path: str | None) -> Settings:
    """A teacher's seed file.

    Raises:
        BadRequest: if it is missing or has another form.
    """
    if path is None:
        return Settings()
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        sizes = {str(name): int(size) for name, size in data.get("sizes", {}).items()}
        if unknown := data.keys() - {"seed", "sizes"}:
            raise ValueError(f"unknown field {', '.join(sorted(unknown))}")
        if any(size < 1 for size in sizes.values()):
            raise ValueError("sizes must be at least 1")
        if len(set(sizes.values())) < len(sizes):
            raise ValueError("sizes must all differ: equal ones hide swapped axes")
        return Settings(seed=int(data["seed"]), sizes=sizes)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRequest(say("bad_seed_file", path=path, reason=error)) from error


def parser() -> argparse.ArgumentParser:
    """All commands and options."""
    root = argparse.ArgumentParser(prog="python -m exercises", description=__doc__)
    commands = root.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=getattr(Runner, name).__doc__)

    for name in ("list", "next", "status"):
        command(name)
    for name in ("hint", "explain", "solution"):
        command(name).add_argument("id")
    for name in ("check", "watch", "export"):
        sub = command(name)
        sub.add_argument("ids", nargs="*", metavar="ID")
        sub.add_argument("--seed-file", metavar="FILE", help="JSON with a secret seed and sizes")
    command("grade").add_argument("folder", help="with one folder a student")
    command("exam")
    for name in ("exam", "grade"):
        sub = commands.choices[name]
        sub.add_argument("ids", nargs="+", metavar="ID")
        sub.add_argument("--seed-file", metavar="FILE", help="JSON with a secret seed and sizes")
        sub.add_argument("--out", required=True, metavar="FOLDER")
    command("reset").add_argument("ids", nargs="+", metavar="ID")
    for name in ("merge", "report"):
        command(name).add_argument("files", nargs="+", metavar="FILE")
    choices = commands.choices
    choices["hint"].add_argument("--number", type=int, help="show this hint")
    choices["solution"].add_argument(
        "--reveal", action="store_true", help="before a pass; recorded"
    )
    choices["watch"].add_argument("--interval", type=float, default=0.5, metavar="SECONDS")
    choices["export"].add_argument("--out", default="exercises/.work/export", metavar="FOLDER")
    choices["export"].add_argument(
        "--name", default=_user(), help="the learner in the class report"
    )
    return root


def main(
    arguments: Sequence[str] | None = None,
    workspace: Workspace | None = None,
    console: Console | None = None,
) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")  # Windows consoles: ✓ and √
    options = parser().parse_args(arguments)
    runner = Runner(workspace or Workspace(), console or Console())
    if options.command is None:
        return runner.next(options)
    try:
        return getattr(runner, options.command)(options)
    except (UnknownExercise, MissingFile, BadRequest, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        for warning in runner.progress.warnings:
            print(warning, file=sys.stderr)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "learner"
