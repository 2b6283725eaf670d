"""The baselines do what they claim, no more."""

from companion.translator.baselines import NearestNeighbour, WordDictionary

PAIRS = [
    ("我看书", "I read a book"),
    ("他看书", "he reads a book"),
    ("你好", "hello"),
    ("好久不见", "long time no see"),
]


def test_the_nearest_neighbour_knows_its_training_set() -> None:
    memory = NearestNeighbour(PAIRS)
    assert memory.translate([source for source, _ in PAIRS]) == [target for _, target in PAIRS]


def test_the_nearest_neighbour_answers_with_the_most_similar() -> None:
    memory = NearestNeighbour(PAIRS)
    assert memory.translate(["她看书", "好久不"]) == ["I read a book", "long time no see"]
    assert memory.translate(["xyz", ""]) == ["", ""]


def test_of_a_source_that_stands_twice_the_first_translation_counts() -> None:
    assert NearestNeighbour([("你好", "hello"), ("你好", "hi")]).translate(["你好"]) == ["hello"]


def test_the_dictionary_takes_the_longest_word_and_the_most_frequent_translation() -> None:
    words = [
        ("看", "look"),
        ("看书", "read"),
        ("我", "I"),
        ("我", "me"),
        ("我", "I"),
        ("书", "book"),
    ]
    dictionary = WordDictionary(words)
    assert len(dictionary) == 4
    assert dictionary.translate(["我看书", "书看我", "我很好", ""]) == [
        "I read",
        "book look I",
        "I",
        "",
    ]


def test_an_empty_dictionary_translates_to_nothing() -> None:
    assert WordDictionary([]).translate(["我"]) == [""]
