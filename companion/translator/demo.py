"""`make demo`: train, measure on unseen sentences, translate 好久不见 step by step."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from companion.translator.console import make_console, show_result, show_steps
from companion.translator.corpora import ParallelText
from companion.translator.devices import choose_device
from companion.translator.progress import run_training
from companion.translator.recipes import RECIPES
from companion.translator.runs import Run
from companion.translator.scoring import MODEL, ORDINARY, corpus_of, score
from companion.translator.trainings import resume, start
from companion.translator.translator import Translator

SENTENCE = "好久不见"
EXAMPLES = 5


def run_demo(recipe: str, folder: Path, device: str) -> None:
    """Train in `folder` (or go on, or use what is finished there), then show the result."""
    target = choose_device(device)
    console = make_console()
    run = Run(folder)
    if not run.has_state:
        console.print("Preparing the corpus and the vocabulary ...")
        run_training(start(RECIPES[recipe], folder, device=target))
    elif run.is_finished:
        console.print(f"The model in {folder} is trained already; delete the folder to start anew.")
    else:
        console.print(f"Going on with the training in {folder} ...")
        run_training(resume(folder, device=target))
    translator = Translator.load(folder, device=device)
    show_demo(console, translator, corpus_of(translator))


def show_demo(console: Console, translator: Translator, text: ParallelText) -> None:
    """The held-out table, one sentence step by step, and some unseen sentences."""
    scores = score(translator, text=text, only_ordinary=True, with_baselines=False)
    console.print()
    show_result(console, "sentences never seen in training", scores.ordinary[MODEL])
    console.print()
    console.print(Text(show_steps(console, SENTENCE, translator.steps(SENTENCE))))
    console.print()
    sentences = text.cases[ORDINARY]
    examples = sentences[:: max(len(sentences) // EXAMPLES, 1)][:EXAMPLES]
    translations = translator.translate([sentence.source for sentence in examples])
    for sentence, translation in zip(examples, translations, strict=True):
        console.print(Text(f"source     {sentence.source}"))
        console.print(Text(f"model      {translation}"))
        console.print(Text(f"reference  {' | '.join(sentence.references)}\n"))
