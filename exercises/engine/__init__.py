"""The mechanism behind every exercise. Start reading at ``grader.py``.

exercise.py, case.py    what an exercise is; catalogue.py finds and loads the folders
text.py                 the words: text.toml of an exercise, phrases.toml of the runner, book links
sandbox.py, isolated/   run the learner's code in a child process
shipping.py             brings a notebook's function to that process
grader.py, judges.py    run the checks; decide one
diagnosis.py            names the mistake; explanation.py and symptoms.py describe it
verdict.py, render.py   the result, and how it looks
workspace.py, stub.py   the learner's files; progress.py what was achieved
export.py, watch.py     results for other systems; checking on save
command_line.py         ``python -m exercises``
authors.py              the gate, the stubs and the kill matrix
"""
