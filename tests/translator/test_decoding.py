"""What is asked for comes first, then what the model was tuned to, then greedy decoding."""

from companion.translator.decoding import Decoding, decoding_of

TUNED = {"decoding": {"beam_size": 5, "alpha": 0.8}}


def test_the_order_of_precedence() -> None:
    assert decoding_of({}) == Decoding(1, 0.6)
    assert decoding_of(TUNED) == Decoding(5, 0.8)
    assert decoding_of(TUNED, beam_size=3) == Decoding(3, 0.8)
    assert decoding_of(TUNED, alpha=0.0) == Decoding(5, 0.0)
    assert decoding_of(TUNED, beam_size=1) == Decoding(1, 0.8)
    assert decoding_of(TUNED, consensus=0.5) == Decoding(5, 0.8, 0.5)
    agreeing = {"decoding": {"beam_size": 5, "alpha": 0.8, "consensus": 0.7}}
    assert decoding_of(agreeing) == Decoding(5, 0.8, 0.7)
    assert decoding_of(agreeing, consensus=0.0) == Decoding(5, 0.8)


def test_in_words() -> None:
    assert str(Decoding()) == "greedy decoding"
    beam = "beam search with 5 hypotheses, length penalty 0.8"
    assert str(Decoding(5, 0.8)) == beam
    assert str(Decoding(5, 0.8, 0.5)) == f"{beam}, consensus at 0.5"
    assert str(Decoding(1, 0.8, 0.5)) == "greedy decoding"
