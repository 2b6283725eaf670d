"""The sub-commands around measuring: evaluate, export."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.translator.command_support import (
    FOLDER,
    alpha_option,
    beam_option,
    checkpoint_option,
    clear_errors,
    consensus_option,
    device_option,
    print_json,
)

if TYPE_CHECKING:
    from companion.translator.scoring import Scores
    from companion.translator.translator import Translator

peer_option = click.option(
    "--peer",
    "peers",
    type=FOLDER,
    multiple=True,
    help="Folder of another model trained on the same pairs, to compare; may be repeated.",
)


@click.command()
@checkpoint_option
@click.option(
    "--corpus",
    type=click.Choice(["grammar", "tatoeba", "hsk"]),
    help="Without --checkpoint, the shipped model of this corpus. hsk: sentences from elsewhere.",
)
@peer_option
@device_option
@beam_option
@alpha_option
@consensus_option
@click.option("--limit", type=click.IntRange(1), help="At most so many sentences of each case.")
@click.option("--dev", is_flag=True, help="Score on development sentences, to decide something.")
@click.option("--baselines/--no-baselines", default=True, help="Score the baselines as well.")
@click.option(
    "--alignment", is_flag=True, help="Score cross-attention against the grammar's alignment."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@clear_errors
def evaluate(
    checkpoint: Path | None,
    corpus: str | None,
    peers: tuple[Path, ...],
    device: str,
    beam: int | None,
    alpha: float | None,
    consensus: float | None,
    limit: int | None,
    dev: bool,
    baselines: bool,
    alignment: bool,
    as_json: bool,
) -> None:
    """Score a model on held-out sentences of its corpus, with peers and baselines beside it."""
    from companion.translator import scoring
    from companion.translator.decoding import decoding_of
    from companion.translator.recorded import read_record, with_recorded

    if dev and corpus == scoring.OUT_OF_DOMAIN:
        raise click.UsageError("the hsk sentences have no development part: leave out --dev")
    folder = checkpoint or _shipped(corpus)
    translator = _load(folder, device)
    scores = scoring.score(
        translator,
        text=scoring.text_to_score_on(translator, corpus, dev=dev),
        decoding=decoding_of(translator.facts, beam_size=beam, alpha=alpha, consensus=consensus),
        peers=peers,
        limit=limit,
        with_baselines=baselines,
        device=device,
    )
    test_set = corpus or translator.facts["corpus"]["name"]
    if baselines:
        scores = with_recorded(scores, read_record(folder).get(test_set))
    aligned = _alignment(translator, limit) if alignment else []
    if as_json:
        more = {"alignment": [found.to_dict() for found in aligned]} if alignment else {}
        print_json({"test_set": test_set} | scores.to_dict() | more)
        return
    _show(scores, f"{folder} on {'dev' if dev else 'test'} sentences of {test_set}", aligned)


def _show(scores: "Scores", title: str, aligned: list[Any]) -> None:
    from companion.translator.console import make_console
    from companion.translator.tables import show_alignment, show_scores

    console = make_console()
    for found in aligned:
        show_alignment(console, found)
    show_scores(console, scores, title)


def _shipped(corpus: str | None) -> Path:
    from companion.translator.translator import shipped_folder

    return shipped_folder("tatoeba" if corpus == "hsk" else corpus)


def _load(folder: Path, device: str) -> "Translator":
    from companion.translator.translator import Translator

    return Translator.load(folder, device=device)


def _alignment(translator: "Translator", limit: int | None) -> list[Any]:
    from companion.translator.alignment import READINGS, score_alignment
    from companion.translator.scoring import grammar_corpus

    pairs = grammar_corpus(translator.facts["corpus"]).test[:limit]
    return [score_alignment(translator, pairs, reading=reading) for reading in READINGS]


@click.command()
@click.argument("run", type=FOLDER)
@click.argument("out", type=FOLDER)
@peer_option
@beam_option
@alpha_option
@consensus_option
@click.option(
    "--tune", is_flag=True, help="Choose how to decode on the development sentences of the corpus."
)
@click.option("--out-of-domain", is_flag=True, help="Score on the hsk sentences as well.")
@device_option
@clear_errors
def export(
    run: Path,
    out: Path,
    peers: tuple[Path, ...],
    beam: int | None,
    alpha: float | None,
    consensus: float | None,
    tune: bool,
    out_of_domain: bool,
    device: str,
) -> None:
    """Write the model of RUN to OUT for others: half precision, measured, with a model card.

    RUN may be OUT: then the weights stay what they are, and scores and card are made anew.
    """
    if tune and (beam, alpha, consensus) != (None, None, None):
        raise click.UsageError(
            "--tune chooses --beam, --alpha and --consensus: give it or them, not both"
        )
    from companion.translator.export import export_model

    export_model(
        run,
        out,
        peers=peers,
        beam_size=beam,
        alpha=alpha,
        consensus=consensus,
        tune=tune,
        out_of_domain=out_of_domain,
        device=device,
    )
    click.echo(f"The model, its scores and its card are in {out}")
