"""Adjectives: Chinese[/sense] | English[/comparative/superlative] | of what | place letters.

"Of what" lists kinds of nouns, or single nouns by their Chinese name.
"""

from companion.translator.grammar.lexicon import Adjective, Noun, read_adjectives
from companion.translator.grammar.nouns import NOUNS

ADJECTIVES = read_adjectives("""
# lasting traits of people
高 | tall/taller/tallest | person tree | ptc
矮 | short/shorter/shortest | person | ptc
胖 | fat/fatter/fattest | person pet 猪 | patc
瘦 | thin/thinner/thinnest | person pet | patc
年轻 | young/younger/youngest | person | pdtc
老 | old/older/oldest | grown | pt
聪明 | smart/smarter/smartest | person pet | pdtc
友好 | friendly/friendlier/friendliest | person | pdtc
有名 | famous | person | pdtc
有钱 | rich/richer/richest | grown | pdtc
可爱 | cute/cuter/cutest | young pet zoo 玩具 | pdc
勇敢 | brave/braver/bravest | person | pdtc
害羞 | shy/shyer/shyest | person | pdtc
努力 | hardworking | person | pdtc
漂亮 | beautiful | clothes 帽子 手表 杯子 花 树 house 画 灯 汽车 自行车 房间 girl | pdc
美丽 | beautiful | clothes 帽子 手表 杯子 花 树 house 画 灯 汽车 自行车 房间 girl | pdc
# passing states of people
忙 | busy/busier/busiest | person | psc
累 | tired | person | ps
饿 | hungry/hungrier/hungriest | person pet | ps
渴 | thirsty/thirstier/thirstiest | person pet | ps
困 | sleepy/sleepier/sleepiest | person | ps
高兴 | happy/happier/happiest | person | psc
开心 | happy/happier/happiest | person | psc
难过 | sad/sadder/saddest | person | ps
生气 | angry/angrier/angriest | person | ps
紧张 | nervous | person | psc
担心 | worried | person | ps
兴奋 | excited | person | ps
# size, age, price, weight
大 | big/bigger/biggest | 苹果 西瓜 鸡蛋 furniture room house vessel container pet 树 big 玩具 | pac
小 | small/smaller/smallest | 苹果 西瓜 鸡蛋 furniture room house vessel container pet 树 玩具 | pac
新 | new/newer/newest | gadget vehicle clothes hat furniture tool vessel book 房子 包 灯 镜子 | pac
旧 | old/older/oldest | gadget vehicle clothes hat furniture house 包 灯 地图 | pac
贵 | expensive | gadget vehicle clothes hat furniture house picture 包 | pc
便宜 | cheap/cheaper/cheapest | gadget vehicle clothes hat furniture fruit vessel tool 包 | pdc
重 | heavy/heavier/heaviest | furniture container 电视 冰箱 词典 | pac
长 | long/longer/longest | 裙子 裤子 外套 film text | pac
短 | short/shorter/shortest | 裙子 裤子 外套 text | pac
# looks and feel
红 | red | clothes hat 苹果 花 vehicle 包 tool | a
白 | white | clothes 帽子 pet 马 vehicle vessel 花 包 | a
黑 | black | clothes hat pet 马 vehicle 包 笔 伞 | a
蓝 | blue | clothes 帽子 汽车 自行车 包 vessel 笔 伞 本子 | a
绿 | green | clothes 帽子 汽车 自行车 包 瓶子 伞 | a
黄 | yellow | clothes 帽子 花 包 汽车 自行车 | a
干净 | clean/cleaner/cleanest | cloth vessel room vehicle | pc
脏 | dirty/dirtier/dirtiest | cloth vessel room vehicle | pac
舒服 | comfortable | 椅子 床 沙发 鞋 裤子 毛衣 | pdc
暖和 | warm/warmer/warmest | 外套 毛衣 帽子 毯子 | pdc
好吃 | delicious | food | pdc
好喝 | delicious | 茶 咖啡 果汁 汤 啤酒 | p
甜 | sweet/sweeter/sweetest | fruit sweet | pac
新鲜 | fresh/fresher/freshest | fruit 牛奶 面包 鸡蛋 | pdc
热 | hot/hotter/hottest | 茶 咖啡 牛奶 水 汤 | a
冷 | cold/colder/coldest | 水 啤酒 牛奶 果汁 | a
# what one thinks of things
好 | good/better/best | book film song job relation idea | pac
有意思 | interesting | book text film idea | pdc
无聊 | boring | book text film | pdc
难 | difficult | language question task | pc
容易 | easy/easier/easiest | task question | pdc
重要 | important | question text | pdc
有用 | useful | tool 词典 地图 | pdc
奇怪 | strange/stranger/strangest | question idea picture | pdc
快 | fast/faster/fastest | vehicle | pc
安静 | quiet/quieter/quietest | room | pdc
流行 | popular | song film | pdc
""")


def describes(adjective: Adjective, noun: Noun) -> bool:
    """Whether the adjective can sensibly be said of the noun."""
    return noun.key in adjective.kinds or any(kind in noun.kinds for kind in adjective.kinds)


BY_KEY = {adjective.key: adjective for adjective in ADJECTIVES}
TRAITS = tuple(adjective for adjective in ADJECTIVES if "t" in adjective.place)
STATES = tuple(adjective for adjective in ADJECTIVES if "s" in adjective.place)
PREDICATES = {
    noun.key: tuple(a for a in ADJECTIVES if "p" in a.place and describes(a, noun))
    for noun in NOUNS
}
ATTRIBUTES = {
    noun.key: tuple(
        a for a in ADJECTIVES if ("a" in a.place or "d" in a.place) and describes(a, noun)
    )
    for noun in NOUNS
}
SHORT = {noun.key: tuple(a for a in ATTRIBUTES[noun.key] if "a" in a.place) for noun in NOUNS}
COMPARABLE = {
    noun.key: tuple(a for a in ADJECTIVES if "c" in a.place and describes(a, noun))
    for noun in NOUNS
}
