"""Verbs: Chinese[/sense] | English | kinds of objects | uses | extras (see `lexicon.Verb`)."""

from companion.translator.grammar.lexicon import (
    Noun,
    Verb,
    read_idioms,
    read_verbs,
)
from companion.translator.grammar.nouns import NOUNS

TRANSITIVE = read_verbs("""
吃 | eat/ate/eaten | food | hlngzw | at:eat
喝 | drink/drank/drunk | drink soup | hlngzw | at:eat,chat
看/读 | read/read/read | reading | lngzw | at:study,rest
看/书常 | read/read/read | 小说 报纸 杂志 | h | at:study,rest
看 | watch | film | lngzw
看/常 | watch | 电影 比赛 | h
听 | listen to | song sound | hlngzw | at:rest
唱 | sing/sang/sung | song | hlngzw
写 | write/wrote/written/writing | writable | hlngzw | at:study
读 | read/read/read | 小说 文章 信 | lngzw
买 | buy/bought | goods food drink 花 vehicle 醋 票 | lnw | at:shop
买/常 | buy/bought | food drink 花 报纸 杂志 | h | at:shop
卖/常 | sell/sold | fruit clothes gift | k | at:shop adult
卖 | sell/sold | vehicle house gadget furniture picture | ln | adult
做 | make/made | dish | hlngzw | at:cook
做/作业 | do/did/done | task | hzw | at:study
洗/常 | wash | 碗 盘子 | h | at:cook
洗 | wash | washable | lnzw
修 | repair | vehicle gadget 椅子 桌子 门 窗户 | lngzw | adult
用 | use | tool 手机 电脑 计算机 相机 词典 地图 | lnzw
借 | borrow | book 地图 汽车 自行车 摩托车 tool 相机 | lnw
带 | bring/brought | portable fruit | lnw
拿 | take/took/taken | portable | ln
找 | look for | portable pet | zw | definite
丢 | lose/lost | portable | l
找到 | find/found | portable pet | ln | definite
看见 | see/saw/seen | person animal | ln
遇见 | meet/met | person | l
学 | study | language | kgzw | at:study
教 | teach/taught | language | kw | adult
说 | speak/spoke/spoken | language | k
懂 | understand/understood | language | k
帮助 | help | person | hlnw
等 | wait for | person | zw | definite
邀请 | invite | relation | lnw | definite
照顾 | take/took/taken care of | pet young | hzw | definite
骑 | ride/rode/ridden | rideable | ngzw
开 | drive/drove/driven/driving | drivable | ngzw | adult
画/draw | draw/drew/drawn | animal plant 房子 | lngzw
养 | keep/kept | pet farm | g
喂 | feed/fed | animal | lnzw | definite
翻译 | translate | text | lngzw | adult
打扫 | clean | room | hlnzw
搬 | move | furniture 箱子 | lnzw
种 | plant | plant | lnzw
回答 | answer | question | lnw | definite
问 | ask | question | lnw
想到 | think/thought of | idea | l
""")

STATIVE = read_verbs("""
喜欢 | like | food drink soup 电影 比赛 song book animal language sound 花 | s
讨厌 | hate | food animal sauce | s
认识 | know/knew/known | person | s | definite
需要 | need | tool gadget vehicle furniture clothes 伞 包 箱子 词典 地图 票 钥匙 | s
想要 | want | soup gadget vehicle clothes hat furniture toy food drink picture pet 词典 玩具 球 | s
相信 | believe | relation | s | definite
怕 | be afraid of | animal | s
""")

INTRANSITIVE = read_verbs(
    """
睡觉 | sleep/slept | - | nzw | at:rest
休息 | rest | - | hlnzw | at:rest
工作 | work | - | hnzw | at:work adult
学习 | study | - | hnzw | at:study
看书 | read/read | - | hnzw | at:study,rest
吃饭 | eat/ate/eaten | - | nzw | at:eat
做饭 | cook | - | hnzw | at:cook skill
唱歌 | sing/sang/sung | - | hnzw | skill
跳舞 | dance | - | hnzw | at:walk skill
游泳 | swim/swam/swum/swimming | - | hnzw | skill
跑步 | run/ran/run/running | - | hnzw | at:exercise
散步 | take/took/taken a walk | - | hnzw | at:walk
锻炼 | exercise | - | hnzw | at:exercise
聊天 | chat/chatted/chatted/chatting | - | hnzw | at:chat,walk,wait
上网 | go/went/gone online | - | hnw | at:rest,chat
踢足球 | play soccer | - | hnzw | at:exercise skill
打篮球 | play basketball | - | hnzw | at:exercise skill
弹钢琴 | play the piano | - | hnzw | skill
滑雪 | ski/skied | - | nw | skill
开车 | drive/drove/driven/driving | - | hnzw | skill adult
看电视 | watch TV | - | hnzw | at:rest
洗澡 | take/took/taken a bath | - | hnzw
开会 | have/had a meeting | - | hnzw | adult
打电话 | make/made a phone call | - | nzw
哭 | cry | - | lnz
笑 | laugh | - | lnz
来 | come/came/come/coming | - | lnw
走 | leave/left | - | lnw
出去 | go/went/gone out | - | hlnw
回家 | go/went/gone home | - | lnw
起床 | get/got/gotten/getting up | - | ln
迟到 | be/was late | - | ln
结婚 | get/got/gotten/getting married | - | lnw | adult
毕业 | graduate | - | ln | adult
生病 | get/got/gotten/getting sick | - | ln
旅行 | travel | - | nzw
搬家 | move | - | lnzw | adult
等/无 | wait | - | zw | at:wait
""".replace("| - |", "||")
)

GO = read_verbs("去 | go/went/gone || hlngw")[0]
GO_BEEN = read_verbs("去 | go/went/been || g")[0]
RETURN = read_verbs("回 | go/went/gone back || hlnw")[0]
HAVE = read_verbs("有 | have/had || s")[0]
LIVE = read_verbs("住 | live || s")[0]

IDIOMS = read_idioms("""
吃醋 | be jealous | eat/ate/eaten vinegar | hn
吹牛 | brag/bragged/bragged/bragging | blow/blew/blown cows | hnz
拍马屁 | flatter people | pat/patted/patted/patting a horse | hnz
走后门 | pull strings | walk through the back door | hnz
吃苦 | suffer | eat/ate/eaten bitterness | hn
""")


def takes(verb: Verb, noun: Noun) -> bool:
    """Whether the noun can be the verb's object."""
    return noun.key in verb.objects or any(kind in noun.kinds for kind in verb.objects)


OBJECTS = {
    verb.key: tuple(noun for noun in NOUNS if takes(verb, noun)) for verb in (*TRANSITIVE, *STATIVE)
}


def with_use(verbs: tuple[Verb, ...], letter: str) -> tuple[Verb, ...]:
    """The verbs that are natural in the construction that the letter stands for."""
    return tuple(verb for verb in verbs if letter in verb.uses)


def named(verbs: tuple[Verb, ...], key: str) -> Verb:
    """The verb with the key. Raises StopIteration when the list has none."""
    return next(verb for verb in verbs if verb.key == key)
