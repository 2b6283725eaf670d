"""Places: Chinese | English name | at | to | kinds."""

from dataclasses import dataclass

from companion.translator.grammar.derivation import Entry
from companion.translator.grammar.lexicon import rows


@dataclass(frozen=True, slots=True)
class Place(Entry):
    """A place with its English prepositions; `the` is how it is named by itself."""

    key: str
    the: str
    at: str
    to: str
    kinds: tuple[str, ...]
    measure: str
    exposures: int = 0


PLACES = tuple(
    Place(zh, the, at, to, tuple(kinds.split()), measure)
    for zh, the, at, to, kinds, measure in rows("""
家 | home | at home | home | rest eat study cook | -
学校 | the school | at school | to school | work study exercise wait visit building go | 所
医院 | the hospital | at the hospital | to the hospital | work building go | 家
银行 | the bank | at the bank | to the bank | work building go | 家
商店 | the store | at the store | to the store | work shop building go | 家
超市 | the supermarket | at the supermarket | to the supermarket | work shop building go | 家
市场 | the market | at the market | to the market | shop go | 个
公园 | the park | in the park | to the park | exercise walk outdoors wait nature go | 个
动物园 | the zoo | at the zoo | to the zoo | work visit outdoors go | 个
海边 | the beach | at the beach | to the beach | walk outdoors go | -
图书馆 | the library | in the library | to the library | work study wait visit building go | 个
博物馆 | the museum | at the museum | to the museum | work visit building go | 个
饭馆 | the restaurant | at the restaurant | to the restaurant | work eat wait building go | 家
咖啡馆 | the cafe | at the cafe | to the cafe | work wait study chat building go | 家
宾馆 | the hotel | at the hotel | to the hotel | work rest building go | 家
电影院 | the movie theater | at the movie theater | to the movie theater | wait building go | 个
机场 | the airport | at the airport | to the airport | work wait go | 个
车站 | the station | at the station | to the station | work wait building go | 个
邮局 | the post office | at the post office | to the post office | work building go | 个
公司 | the company | at the company | to the company | work go | 家
工厂 | the factory | at the factory | to the factory | work visit building go | 家
村子 | the village | in the village | to the village | walk live | 个
北京 | Beijing | in Beijing | to Beijing | city work live study | -
上海 | Shanghai | in Shanghai | to Shanghai | city work live study | -
香港 | Hong Kong | in Hong Kong | to Hong Kong | city work live | -
伦敦 | London | in London | to London | city work live study | -
巴黎 | Paris | in Paris | to Paris | city work live study | -
中国 | China | in China | to China | country work live study | -
美国 | America | in America | to America | country work live study | -
英国 | England | in England | to England | country work live study | -
法国 | France | in France | to France | country work live study | -
日本 | Japan | in Japan | to Japan | country work live study | -
""")
)


def places(*kinds: str) -> tuple[Place, ...]:
    """The places that are of at least one of the kinds."""
    return tuple(place for place in PLACES if any(kind in place.kinds for kind in kinds))


HOME = PLACES[0]
TOWNS = places("city", "country")
DESTINATIONS = places("go")
BUILDINGS = places("building")
