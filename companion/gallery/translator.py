"""A translator from the package's parts: an encoder-decoder Transformer that learns a phrase book.
`python -m companion.gallery.translator 好久不见` takes about ten seconds on a CPU.
"""

import sys

import torch
from torch import Tensor

from companion import Transformer, greedy, tiny_translator
from companion.objectives import label_smoothed_cross_entropy, teacher_forcing_shift

PHRASES = {
    "好久不见": "long time no see",
    "你好": "hello",
    "早上好": "good morning",
    "晚上好": "good evening",
    "晚安": "good night",
    "谢谢你": "thank you",
    "对不起": "I am sorry",
    "没关系": "it does not matter",
    "我很好": "I am fine",
    "你好吗": "how are you",
    "明天见": "see you tomorrow",
    "我不知道": "I do not know",
}
PAD, BOS, EOS = 0, 1, 2
WORDS = sorted({*"".join(PHRASES), *" ".join(PHRASES.values()).split()})


def encode(words: list[str]) -> Tensor:
    """Ids of the words, or ValueError for one that the phrase book lacks."""
    return torch.tensor([WORDS.index(word) + 3 for word in words])


def pad(rows: list[Tensor]) -> Tensor:
    """One rectangle, filled up on the right."""
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)


def train(steps: int = 80) -> Transformer:
    """Teacher forcing on the whole phrase book."""
    torch.manual_seed(0)
    model = Transformer(tiny_translator(len(WORDS) + 3, d_model=64, dropout=0.0))
    source = pad([encode(list(chinese)) for chinese in PHRASES])
    target = pad([encode(english.split()) for english in PHRASES.values()])
    shown, wanted = teacher_forcing_shift(target, bos_id=BOS, eos_id=EOS, pad_id=PAD)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(steps):
        logits = model(source, shown)
        loss = label_smoothed_cross_entropy(logits, wanted, ignore_index=PAD, smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()


def translate(model: Transformer, chinese: str) -> str:
    """Greedy decoding on a key/value cache."""
    session = model.start(encode(list(chinese))[None], bos_id=BOS, max_new_tokens=10)
    return " ".join(WORDS[token - 3] for token in greedy(session, eos_id=EOS).sequences[0])


if __name__ == "__main__":
    translator = train()
    for phrase in sys.argv[1:] or PHRASES:
        print(phrase, "→", translate(translator, phrase))
