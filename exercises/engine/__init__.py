"""The mechanism behind every exercise. Start reading at :mod:`exercises.engine.grader`.

exercise.py, case.py   what an exercise is; text.py its words; catalogue.py finds and loads the folders
sandbox.py, isolated/ run the learner's code in a child process; shipping.py brings notebook functions there
grader.py             runs the checks; judges.py decides one; diagnosis.py names the mistake, symptoms.py
                      describes an unknown one; verdict.py and render.py show the result
workspace.py          the learner's files; progress.py what was achieved; export.py and watch.py around it
command_line.py       ``python -m exercises``; authors.py the gate, the stubs and the kill matrix
"""
