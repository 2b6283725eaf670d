"""Common nouns: Chinese | English[/plural] | measures[:English unit] | kinds | bare reading."""

from companion.translator.grammar.lexicon import of_kind, read_nouns

NOUNS = read_nouns("""
# people by occupation
老师 | teacher | 位 个 | person job relation grown | one
学生 | student | 个 | person job relation | one
医生 | doctor | 位 个 | person job relation grown | one
护士 | nurse | 位 个 | person job grown | one
警察 | police officer | 个 | person job grown | one
司机 | driver | 个 | person job relation grown | one
厨师 | chef | 个 | person job grown | one
工人 | worker | 个 | person job grown | one
农民 | farmer | 个 | person job grown | one
律师 | lawyer | 位 个 | person job relation grown | one
歌手 | singer | 个 | person job artist grown | one
记者 | reporter | 个 | person job grown | one
经理 | manager | 位 个 | person job relation grown | one
服务员 | waiter | 个 | person job grown | one
作家 | writer | 位 个 | person job artist grown | one
演员 | actor | 个 | person job artist grown | one
科学家 | scientist | 位 个 | person job grown | one
画家 | painter | 位 个 | person job artist grown | one
秘书 | secretary | 个 | person job relation grown | one
老板 | boss | 个 | person job relation grown | one
大夫 | doctor | 位 个 | person job relation grown | one
# other people
朋友 | friend | 个 | person relation | one
同学 | classmate | 个 | person relation | one
同事 | colleague | 个 | person relation | one
邻居 | neighbor | 个 | person relation grown | one
客人 | guest | 位 个 | person human | one
孩子 | child/children | 个 | person human young | one
女孩 | girl | 个 | person human young girl | one
男孩 | boy | 个 | person human young | one
女人 | woman/women | 个 | person human grown girl | one
男人 | man/men | 个 | person human grown | one
# animals
狗 | dog | 只 | animal pet | one
猫 | cat | 只 | animal pet | one
鸟 | bird | 只 | animal pet small | one
马 | horse | 匹 | animal farm rideable | one
牛 | cow | 头 | animal farm | one
羊 | sheep/sheep | 只 | animal farm | one
猪 | pig | 头 | animal farm | one
兔子 | rabbit | 只 | animal pet | one
熊猫 | panda | 只 | animal zoo | one
老虎 | tiger | 只 | animal zoo | one
猴子 | monkey | 只 | animal zoo | one
大象 | elephant | 头 | animal zoo | one
# food and drink
苹果 | apple | 个 | food fruit | many
香蕉 | banana | 个 根 | food fruit | many
橘子 | orange | 个 | food fruit | many
西瓜 | watermelon | 个 | food fruit | mass
鸡蛋 | egg | 个 | food | many
饺子 | dumpling | 个 | food dish | many
包子 | steamed bun | 个 | food dish | many
三明治 | sandwich | 个 | food dish | many
蛋糕 | cake | 块:piece | food dish sweet | mass
面包 | bread | 片:slice 块:piece | food dish | mass
米饭 | rice | 碗:bowl | food | mass
面条 | noodle soup | 碗:bowl | food dish | mass
牛肉 | beef | 块:piece | food | mass
鸡肉 | chicken | 块:piece | food | mass
汤 | soup | 碗:bowl | soup dish | mass
茶 | tea | 杯:cup | drink hot | mass
水 | water | 杯:glass 瓶:bottle | drink plain | mass
咖啡 | coffee | 杯:cup | drink hot | mass
牛奶 | milk | 杯:glass | drink | mass
啤酒 | beer | 瓶:bottle 杯:glass | drink | mass
果汁 | juice | 杯:glass 瓶:bottle | drink | mass
醋 | vinegar | 瓶:bottle | sauce | mass
# things to read, watch and hear
书 | book | 本 | reading writable portable goods gift book | one
小说 | novel | 本 | reading writable portable goods gift book text | one
词典 | dictionary | 本 | reference portable goods gift book | one
杂志 | magazine | 本 | reading portable goods book | one
报纸 | newspaper | 份 | reading portable goods | one
信 | letter | 封 | reading writable portable mail text | one
邮件 | email | 封 | reading writable text | one
文章 | article | 篇 | reading writable text | one
电影 | movie | 部 | film | one
节目 | show | 个 | film | one
比赛 | game | 场 | film | one
歌 | song | 首 | song | one
音乐 | music | - | sound | name
# clothes
衬衫 | shirt | 件 | clothes washable goods gift cloth | one
裙子 | skirt | 条 | clothes washable goods gift cloth | one
外套 | coat | 件 | clothes goods gift | one
毛衣 | sweater | 件 | clothes washable goods gift cloth | one
裤子 | pants/pants | 条:pair | clothes washable goods cloth | pair
鞋 | shoes/shoes | 双:pair | clothes goods gift | pair
帽子 | hat | 顶 | hat goods gift portable | one
手表 | watch | 块 | hat goods gift portable small_gift | one
眼镜 | glasses/glasses | 副:pair | hat goods portable | pair
# machines and vehicles
手机 | phone | 部 | gadget goods gift portable small_gift | one
电脑 | computer | 台 | gadget goods gift portable | one
计算机 | computer | 台 | gadget goods gift portable | one
相机 | camera | 台 | gadget goods gift portable small_gift | one
电视 | TV | 台 | gadget big goods | one
冰箱 | refrigerator | 台 | gadget big goods | one
汽车 | car | 辆 | vehicle drivable washable | one
出租车 | taxi | 辆 | public | one
公共汽车 | bus | 辆 | public | one
自行车 | bicycle | 辆 | vehicle rideable washable gift | one
摩托车 | motorcycle | 辆 | vehicle rideable washable | one
# furniture and household
桌子 | table | 张 | furniture surface goods | one
椅子 | chair | 把 | furniture goods | one
床 | bed | 张 | furniture goods | one
沙发 | sofa | 张 | furniture goods | one
书架 | bookshelf/bookshelves | 个 | furniture goods | one
灯 | lamp | 盏 | lamp goods | one
镜子 | mirror | 面 | mirror goods | one
杯子 | cup | 个 | vessel washable goods gift portable small_gift | one
盘子 | plate | 个 | vessel washable goods | one
碗 | bowl | 个 | vessel washable goods | one
瓶子 | bottle | 个 | vessel washable | one
门 | door | 扇 | opening | the
窗户 | window | 扇 | opening | the
房间 | room | 个 | room | the
厨房 | kitchen | 个 | room | the
教室 | classroom | 个 | room | the
办公室 | office | 个 | room | the
房子 | house | 栋 | house | one
# small things
笔 | pen | 支 | tool goods gift portable | one
铅笔 | pencil | 支 | tool goods portable | one
本子 | notebook | 个 | tool goods gift portable | one
地图 | map | 张 | reference goods portable | one
照片 | photo | 张 | photo portable | one
画 | painting | 幅 | picture gift | one
票 | ticket | 张 | ticket goods portable | one
包 | bag | 个 | goods gift portable container | one
箱子 | box | 个 | container | one
伞 | umbrella | 把 | tool goods gift portable | one
钥匙 | key | 把 | keys portable | one
刀 | knife/knives | 把 | tool goods | one
花 | flower | 朵 | plant goods gift | many
树 | tree | 棵 | plant tree | one
礼物 | gift | 件 | present | one
球 | ball | 个 | goods gift portable small_gift toy | one
玩具 | toy | 个 | goods gift portable small_gift toy | one
# what one learns, says and has
汉语 | Chinese | - | language | name
英语 | English | - | language | name
法语 | French | - | language | name
日语 | Japanese | - | language | name
作业 | homework | - | task | mass
问题 | question | 个 | question | one
主意 | idea | 个 | idea | one
钱 | money | - | money | mass
时间 | time | - | time | mass
名字 | name | 个 | label | one
生日 | birthday | 个 | label day | one
# one-shot words: each is in exactly so many training sentences
锤子 | hammer | 把 | goods portable | one | 1
蜡烛 | candle | 支 | goods gift portable | one | 1
篮子 | basket | 个 | goods gift portable | one | 1
枕头 | pillow | 个 | goods gift portable | one | 5
毯子 | blanket | 条 | goods gift portable | one | 5
风筝 | kite | 个 | goods gift portable | one | 5
吉他 | guitar | 把 | goods gift portable | one | 20
闹钟 | alarm clock | 个 | goods gift portable | one | 20
毛巾 | towel | 条 | goods gift portable | one | 20
""")

BY_KEY = {noun.key: noun for noun in NOUNS}
PEOPLE = of_kind(NOUNS, "job", "human")
JOBS = of_kind(NOUNS, "job")
RELATIONS = of_kind(NOUNS, "relation")
ANIMALS = of_kind(NOUNS, "animal")
RARE = tuple(noun for noun in NOUNS if noun.exposures)
