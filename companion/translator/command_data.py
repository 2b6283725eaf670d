"""The command `companion data`: what a corpus of real sentences is made of."""

from pathlib import Path
from typing import Any

import click

from companion.translator.command_support import clear_errors, print_json


@click.command()
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@clear_errors
def data(file: Path | None, as_json: bool) -> None:
    """Count what the preparation of sentence pairs keeps, and check that no sentence leaks.

    FILE is in Tatoeba's export format or Anki's cmn.txt; without it, the pairs of the optional
    extra are reported on.
    """
    from companion.translator.tatoeba import data_report, load_tatoeba

    report = data_report(load_tatoeba(file))
    if as_json:
        print_json(report)
        return
    click.echo("\n".join(_lines(report)))


def _lines(report: dict[str, Any]) -> list[str]:
    train, malformed = report["train"], report["malformed"]
    lines = [f"{step['pairs']:>9,}  {step['step']}" for step in report["steps"]]
    lines += [f"{malformed['lines']:>9,}  malformed lines", *(f"  {m}" for m in malformed["first"])]
    lines += [
        "",
        f"training     {train['pairs']:,} pairs of {train['sources']:,} sources; "
        f"{train['different_characters']:,} characters, {train['different_words']:,} words",
    ]
    for part in ("dev", "test"):
        counts, leaks = report[part], report["leakage"][part]
        lines.append(
            f"{part:<12} {counts['sources']:,} sources, {counts['references']:,} references; in "
            f"the training data: {leaks['sources']} sources, {leaks['references']} references"
        )
    lines += ["", "characters of a Chinese training sentence, words of an English one:"]
    for name in ("characters_a_source", "words_a_target"):
        lines.append("  " + ", ".join(f"{k} {v}" for k, v in train[name].items()))
    return [*lines, "", *(f"{source}  {target}" for source, target in train["samples"])]
