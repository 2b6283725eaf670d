"""What training never sees: the rules by which sentences are held out, case by case.

After SCAN (Lake and Baroni, 2018), COGS (Kim and Linzen, 2020), CFQ (Keysers et al., 2020) and
CoGnition (Li et al., 2021): a model that composes should translate what it met in parts.
"""

from companion.translator.grammar.nouns import RARE
from companion.translator.grammar.pair import Pair
from companion.translator.grammar.verbs import IDIOMS

# A word and a construction that never meet in training, though each is there often.
COMPOUNDS = (
    ("医生", "ba"),
    ("钥匙", "ba"),
    ("手机", "bei"),
    ("手表", "benefactive"),
    ("裙子", "object_relative"),
    ("咖啡", "choice"),
    ("北京", "transport"),
    ("图书馆", "how"),
    ("妹妹", "comparison"),
    ("自行车", "existential"),
    ("帽子", "wearing"),
    ("洗澡", "before_after"),
)

# Nouns that are only ever the subject of their clause in training.
SUBJECTS_ONLY = ("律师", "护士", "农民", "记者")
SUBJECT_ROLES = ("subject", "clause_subject")

# A word, its synonym, and the constructions in which training shows the synonym.
SYNONYMS = {
    "母亲": "妈妈",
    "父亲": "爸爸",
    "大夫": "医生",
    "计算机": "电脑",
    "开心": "高兴",
    "美丽": "漂亮",
    "经常": "常常",
}
SYNONYMS_SHOWN_IN = frozenset(
    [
        "adjective",
        "identity",
        "stative",
        "perfective",
        "location",
        "habitual",
        "possession",
        "existential",
        "past_state",
        "progressive",
        "superlative",
        "dative",
    ]
)

# Time words that training has after the subject but never before it.
NEVER_IN_FRONT = ("上个星期", "后天", "每个周末")

# Idioms are trained in these constructions and tested in others.
IDIOM_KEYS = frozenset(idiom.key for idiom in IDIOMS)
IDIOMS_SHOWN_IN = frozenset(
    {"habitual", "negated_past", "prohibition", "wish", "modal", "duty", "future"}
)

MAX_TRAINED_DEPTH = 2
EXPOSURES = {noun.key: noun.exposures for noun in RARE}
CASES = (
    "atom_construction",
    "role_swap",
    "deeper",
    "one_shot_1",
    "one_shot_5",
    "one_shot_20",
    "synonyms",
    "moved_time",
    "exceptions",
)


def held_out(pair: Pair) -> tuple[str, ...]:
    """The cases that keep the pair out of training; empty for an ordinary pair."""
    atoms, parts = set(pair.atoms), set(pair.parts)
    found = []
    if any(atom in atoms and construction in parts for atom, construction in COMPOUNDS):
        found.append("atom_construction")
    if any(atom in SUBJECTS_ONLY and role not in SUBJECT_ROLES for atom, role in pair.roles):
        found.append("role_swap")
    if pair.depth > MAX_TRAINED_DEPTH:
        found.append("deeper")
    counts = sorted(EXPOSURES[atom] for atom in atoms if atom in EXPOSURES)
    found.extend(f"one_shot_{count}" for count in counts)
    if any(atom in SYNONYMS for atom in atoms) and not parts <= SYNONYMS_SHOWN_IN:
        found.append("synonyms")
    if "time_front" in parts and any(time in atoms for time in NEVER_IN_FRONT):
        found.append("moved_time")
    if atoms & IDIOM_KEYS and not parts <= IDIOMS_SHOWN_IN:
        found.append("exceptions")
    return tuple(found)
