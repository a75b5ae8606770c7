"""What makes a word a model's name: patterns over folded text, without a name in them.

Folded means lower case, without accents, look-alike letters made Latin; the
phrases below are folded the same way when they are compiled. Every repetition
is bounded or runs over one class of characters, so time grows with the text's
length and not faster.
"""

import re
from collections.abc import Iterator

from judgebench.blind.fold import fold


def _any(*phrases: str) -> str:
    """One alternation of folded phrases; a blank stands for any white space in a line."""
    parts = (re.escape(fold(phrase).text).replace(r"\ ", r"[^\S\n]{1,4}") for phrase in phrases)
    return "(?:" + "|".join(sorted(parts, key=len, reverse=True)) + ")"


# What may stand between a phrase and the name: white space, quotes, brackets, emphasis.
_GAP = r"[^\S\n]{0,4}(?:[:,\u2026]|-{1,2}|\.{2,3})?[^\S\n]{0,4}"
_GAP += r"[\"'*_`(\[<«“„「『]{0,3}(?:the[^\S\n]{1,4})?"

# "I am …", "my name is …": the name follows at once.
# Ahead of the list: its "I am" would be found first.
_S = r"[^\S\n]{1,4}"
_SELF_WORDS = (
    rf"(?:i{_S}am|i'm){_S}(?:actually|really|just|still|simply|indeed|truly|in{_S}fact|of{_S}course"
    rf"|none{_S}other{_S}than)|you(?:{_S}are|'re){_S}(?:now{_S})?(?:speaking|talking|chatting){_S}"
    rf"(?:with|to)|it(?:{_S}is|'s){_S}(?:me{_S}again|only{_S}me|i|your{_S}(?:assistant|ai|friend))"
    rf"|(?:i{_S}am|i'm){_S}(?:based{_S}on|built{_S}on|running{_S}on|a{_S}version{_S}of"
    rf"|an{_S}instance{_S}of)|i{_S}run{_S}on|"
)
_SELF_WORDS += _any(
    *("i am", "i'm", "im", "iam", "my name is", "my name's", "name's", "call me", "i go by"),
    *("i am called", "i'm called", "i am known as", "you are talking to", "you're talking to"),
    *("you are chatting with", "you're chatting with", "hi, it's", "hello, it's", "it's me"),
    *("this is me", "i,", "me,", "we at", "us at", "ich bin", "ich heiße", "mein name ist"),
    *("man nennt mich", "hier ist", "hier spricht", "je suis", "je m'appelle", "moi,"),
    *("mon nom est", "ici", "soy", "yo soy", "me llamo", "mi nombre es", "eu sou", "eu sou o"),
    *("sou o", "sou a", "me chamo", "chamo-me", "meu nome é", "sono", "io sono", "mi chiamo"),
    *("il mio nome è", "ik ben", "mijn naam is", "ik heet", "jestem", "nazywam się", "ben"),
    *("benim adım", "adım", "jag är", "jag heter", "jeg er", "jeg heter", "jeg hedder"),
    *("minä olen", "olen", "nimeni on", "jsem", "jmenuji se", "sunt", "mă numesc", "vagyok"),
    *("a nevem", "я", "я —", "я -", "меня зовут", "моё имя", "мене звати", "это", "tôi là"),
    *("mình là", "tên tôi là", "saya adalah", "saya", "nama saya", "aku", "ako si"),
    *("είμαι ο", "είμαι το", "με λένε", "我是", "我叫", "我的名字是", "我就是", "本人是", "这里是"),
    *("我乃", "私は", "わたしは", "僕は", "私の名前は", "こちらは", "저는", "나는", "제 이름은"),
    *("أنا", "اسمي", "मैं", "मेरा नाम", "ฉันคือ", "ผมคือ", "אני", "من"),
    *("i go by the name", "i go by the name of", "i answer to", "i answer to the name"),
    *("i was named", "i was given the name", "makers named me", "creators named me"),
    *("i'm known as", "i am also known as", "i'm also known as", "i am better known as"),
    *("i'm better known as", "my name:", "nennt mich", "nenn mich", "nennen sie mich"),
    *("appelez-moi", "appelle-moi", "on m'appelle", "llámame", "llamarme", "me llaman", "me dicen"),
    *("chame-me de", "me chame de", "me chamar de", "me chamam de", "aqui é", "aqui é o"),
    *("chiamami", "chiamarmi", "noem me", "noem mij", "зови меня", "зовите меня", "звать меня"),
    *("ich bin eigentlich", "ich bin nur", "ich bin wirklich", "je suis en fait", "je suis juste"),
    *("en realidad soy", "soy realmente", "na verdade sou", "in realtà sono", "eigenlijk ben ik"),
    *("my name?", "you've reached", "you have reached", "ich bin's", "ich bin es"),
    *("das bin ich", "hier bin ich", "soy yo", "sono io", "sou eu", "ik ben het", "to ja"),
    *("det är jag", "det er meg", "det er mig", "minä tässä", "to jsem já", "benim", "是我"),
    *("저예요", "저는요", "それは私", "私です"),
)  # fmt: skip
# "Call me, Claude!", "Tell me, Claude", "Here I am, Claude": the name is whom it is said to.
_NAMING = re.compile(
    _any(
        *("call me", "nennt mich", "nenn mich", "nennen sie mich", "appelez-moi"),
        *("appelle-moi", "on m'appelle", "llámame", "me llaman", "me dicen", "chiamami"),
        *("noem me", "noem mij", "зови меня", "зовите меня", "звать меня"),
    )
    + r"\Z"
)
_SAID_TO = re.compile(
    r"(?<!\w)(?:call|ring|phone|text|tell|ask|show|give|send|bring|trust|help|excuse|forgive|pardon"
    r"|believe|follow|remind|hear|answer|love|marry|join|watch|teach|let|(?:listen|talk|speak|come)"
    r"[^\S\n]to|(?:wait|look)[^\S\n](?:for|at)|with|to|you[^\S\n]and"
    r"|(?:is|was)[^\S\n]it)[^\S\n]{1,4}(?=me,\Z)"
    r"|(?<!\w)(?:am|was|should|shall|can|could|may|must|might|do|did|will|would|have|had"
    r"|you[^\S\n]and)"
    r"[^\S\n]{1,4}(?=i,\Z)|(?:-|avec[^\S\n]{1,4})(?=moi,\Z)"
    r"|(?<!\w)(?:yes|here|there|as|than|what|who|where|how|so|sure|no|indeed|ja|hier),?"
    r"[^\S\n]{1,4}(?=(?:i[^\S\n]am|ich[^\S\n]bin),\Z)"
)
_SAID_TO_REACH = 40
# "As …, I": the name counts if the writer goes on in the first person.
_ROLE_WORDS = _any(
    *("as", "being", "like", "speaking as", "als", "en tant que", "como", "in qualità di"),
    *("come", "som", "jako", "как", "olarak", "作为", "作為", "身为", "として"),
)
# "This is … speaking".
_HERE_WORDS = _any("this is", "it's", "it is", "das ist", "c'est", "esto es", "hello from", "from")

# "made by …", and its line must speak of a writer or an assistant.
_MADE_WORDS = (
    _any(
        *("made", "created", "trained", "developed", "built", "designed", "engineered"),
        *("released", "powered", "pretrained", "pre-trained", "fine-tuned", "tuned"),
        *("produced", "hosted", "provided", "maintained"),
    )
    + r"(?:[^\S\n]{1,4}and[^\S\n]{1,4}[a-z-]{2,12})?[^\S\n]{1,4}(?:by|at|from)|"
    + _any("entwickelt", "trainiert", "erstellt", "gebaut", "erschaffen")
    + r"[a-z]{0,2}[^\S\n]{1,4}(?:von|durch)|von|"
    + _any("développé", "créé", "entraîné", "conçu", "fabriqué")
    + r"e?s?[^\S\n]{1,4}(?:par|chez)|"
    + _any("desarrollad", "cread", "entrenad", "desenvolvid", "criad", "treinad", "diseñad")
    + r"[oa]s?[^\S\n]{1,4}(?:por|pel[oa])|"
    + _any("sviluppat", "creat", "addestrat", "progettat")
    + r"[oa][^\S\n]{1,4}da|"
    + _any("ontwikkeld", "getraind", "gemaakt")
    + r"[^\S\n]{1,4}door|"
    + _any("stworzon", "wytrenowan", "opracowan")
    + r"[a-z]{1,3}[^\S\n]{1,4}przez|"
    + _any("создан", "разработан", "обучен", "сделан")
    + r"\w{0,3}(?:[^\S\n]{1,4}"
    + _any("компанией", "в")
    + r")?|由|来自|被"
)
SPEAKER = re.compile(
    r"(?<!\w)(?:i|i'm|me|my|we|ich|je|j'ai|mich|mir|moi|yo|eu|io|ik|ja|"
    + _any("я", "меня", "soy", "sou", "sono", "fui", "jag", "ben", "jestem")
    + r"|ai|a\.i|ki|ia|llm|[a-z]{0,8}mod[eè]l[a-z]{0,3}|assistant|assistente?|"
    r"asistente|chatbot|bot)(?!\w)|"
    + _any(
        "我", "模型", "助手", "私", "モデル", "저는", "나는", "모델", "модель", "ассистент", "نموذج"
    )
)

# Phrases of credits: the name follows at once.
_CREDIT_WORDS = (
    _any(
        *("generated", "written", "created", "produced", "made", "built", "drafted", "authored"),
        *("composed", "edited", "translated", "summarized", "summarised", "coded", "prepared"),
        *(
            "vibe-coded",
            "powered",
            "assisted",
            "co-written",
            "co-authored",
            "reviewed",
            "refactored",
        ),
        *("erstellt", "generiert", "geschrieben", "verfasst", "übersetzt", "généré", "rédigé"),
        *("écrit", "créé", "traduit", "generado", "escrito", "creado", "redactado", "hecho"),
        *("gerado", "feito", "criado", "generato", "scritto", "creato", "gegenereerd", "gemaakt"),
        *(
            "geschreven",
            "wygenerowane",
            "napisane",
            "skapad",
            "skriven",
            "сгенерировано",
            "написано",
        ),
    )
    + r"[^\S\n]{1,4}(?:[^\w\s]{1,4}[^\S\n]{1,4}|with[^\S\n]{1,4}[^\n]{1,8}[^\S\n]{1,4}|"
    + r"automatically[^\S\n]{1,4})?"
    + r"(?:by|with|using|via|in|von|mit|durch|par|avec|por|con|com|da|door|met|przez|av|med|"
    + _any("с помощью")
    + r")|powered by|courtesy of|output of|sent from|sent via|answer by|text by|code by|"
    + _any("由", "本文由", "written by ai:", "с помощью")
)
_OPENING = re.compile(
    r"(?<!\w)(?:(?P<credit>"
    + _CREDIT_WORDS
    + r")|(?P<made>"
    + _MADE_WORDS
    + r")|(?P<self>"
    + _SELF_WORDS
    + r")|(?P<role>"
    + _ROLE_WORDS
    + r")|(?P<here>"
    + _HERE_WORDS
    + r"))(?=[^a-z0-9]|$)"
    + _GAP
)
_OPENING_CJK = re.compile(
    r"(?:(?P<made>由|来自|被)|(?P<role>作为|作為|身为)|(?P<self>"
    + _any(
        *("我是", "我叫", "我的名字是", "我就是", "本人是", "这里是", "私は", "わたしは", "僕は")
    )
    + "|"
    + _any("私の名前は", "こちらは", "저는", "나는", "제 이름은", "叫我", "称呼我为", "我的名字叫")
    + r"))"
    + _GAP
)


def openings(text: str) -> dict[int, str]:
    """Where a folded text opens a self-description or credit: end of the phrase → its sort."""
    found: dict[int, str] = {}
    for pattern in (_OPENING,) if text.isascii() else (_OPENING, _OPENING_CJK):
        for match in pattern.finditer(text):
            if not _is_said_to(text, match):
                found.setdefault(match.end(), match.lastgroup or "")
    return found


def _is_said_to(text: str, match: re.Match[str]) -> bool:
    """Whether a comma makes the name after a self-description the one that is spoken to."""
    if match.lastgroup != "self":
        return False
    phrase = match["self"]
    if not phrase.endswith(","):
        if not text[match.end("self") : match.end()].lstrip().startswith(","):
            return False
        if _NAMING.match(phrase):
            return True
        phrase += ","
    before = text[max(0, match.start() - _SAID_TO_REACH) : match.start()]
    return _SAID_TO.search(before + phrase) is not None


# Keys of trailers, headers and records: a name in the rest of the line counts.
_KEYED = re.compile(
    r"(?:^|(?<=[\s\"'{(,;<#*/|.+:]))(?:"
    r"(?:co-?authored|signed-?off|authored|assisted|generated|helped|suggested|written|created|"
    r"edited|reviewed|tested|made)-(?:by|with)[^\S\n]{0,4}:|"
    r"(?P<agent>(?:user-agent|x-[a-z-]{2,30}|via|server|"
    r"(?:(?:ai|llm|chat|assistant|language|generation|completion)[_-]?)?"
    r"model(?:[_-]?(?:name|id|slug|version|used))?|"
    r"engine|llm|deployment)[\"']?[^\S\n]{0,4}[:=]|"
    r"(?:(?:language[^\S\n]{1,4})?model|llm|ai|assistant)[^\S\n]{1,4}used[*_\"']{0,3}[^\S\n]{0,4}:)|"
    r"(?:[@_]{1,2}author_{0,2}|__generator__|author|generator|agent|assistant|bot|producer|creator|"
    r"git[^\S\n]{1,4}user\.name|committer|tool|signature|signed|"
    r"(?:written|generated|created|produced|authored|drafted|answered|prepared)[_-]?by|"
    r"assistant[_-]?name)[\"']?[^\S\n]{0,4}[:=]|\\author\{|--author[= ]|"
    r"authors?[\"']?:[^\S\n]{0,4}\n[^\S\n]{0,8}-[^\S\n]|"
    r"@author\b|git[^\S\n]{1,4}config[^\n]{0,20}user\.name|name=[\"'](?:generator|author|creator)[\"']|aider:)",
    re.MULTILINE,
)
_MAX_LINE = 400


def keyed_regions(text: str) -> list[tuple[int, int, str]]:
    """Rests of lines after a trailer's or header's key, with ``trailer`` or ``user-agent``."""
    regions: list[tuple[int, int, str]] = []
    for match in _KEYED.finditer(text):
        end = text.find("\n", match.end(), match.end() + _MAX_LINE)
        end = min(len(text), match.end() + _MAX_LINE) if end < 0 else end
        kind = "user-agent" if match.lastgroup == "agent" else "trailer"
        if regions and regions[-1][1] >= end:
            continue
        regions.append((match.end(), end, kind))
    return regions


_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# What may follow a name that somebody calls himself by.
GOES_ON = re.compile(
    r"[^\S\n]{0,4}(?:$|\n|[^\w\s'\-/]|['\"](?!s\b|\w)|-[^\S\n]|-->|"
    rf"[{_CJK}]|"
    r"(?:and|und|et|e|y|ed|en|och|i|a|an|the|here|from|by|made|built|trained|"
    r"developed|your|version|"
    r"model|speaking|ai|assistant|again|entwickelt|ein|eine|un|une|uma|una|un'|von|de|di|da|od|"
    r"par|ile|"
    + _any("и", "от", "модель", "nennen")
    + r"|one|of|at|in[^\S\n]{1,4}the[^\S\n]{1,4}[a-z]+[^\S\n]{1,4}family|with|running|"
    r"powered|cli|on|v\d)\b)"
)
FIRST_PERSON = re.compile(
    r"[^\S\n]{0,4},?[^\S\n]{0,4}(?:(?:i|i'd|i'm|i'll|i've|my|we|ich|je|j'|mein|"
    r"mon|yo|mi|eu|meu|io|ik|jag|ja|"
    + _any("я", "me", "can", "puedo", "posso", "kann")
    + r")(?![a-z0-9])|"
    + _any("我", "本", "私", "저는", "一个", "一名")
    + ")"
)
SPEAKS = re.compile(
    r"[^\S\n]{0,4},?[^\S\n]{0,4}(?:(?:here|speaking|talking|writing|signing[^\S\n]{1,4}off|"
    r"at your service|is my name|is what (?:they|people) call me|wrote (?:this|it|that|the above)|"
    r"your[^\S\n]{1,4}\w+|an?[^\S\n]{1,4}(?:ai|large|language|assistant|model|helpful)[^\n]{0,30}|"
    + _any("hier", "ici", "aquí", "aqui", "qui")
    + r")(?!\w)[^\S\n]{0,4}(?:[,.!:;)\n]|$|and|to|again|-)|"
    + _any("です", "と申します", "入力", "입니다", "이에요", "예요", "在此")
    + r"|"
    + _any("speaking", "tarafından")
    + r"\b)"
)
MADE = re.compile(
    r"(?:'s)?[^\S\n]{0,4}(?:公司|社|사)?[^\S\n]{0,4}(?:"
    + _any(
        "开发",
        "開發",
        "训练",
        "訓練",
        "研发",
        "推出",
        "创造",
        "打造",
        "制作",
        "旗下",
        "的模型",
        "的ai",
    )
    + "|"
    + _any(
        "が開発",
        "によって",
        "が作成",
        "が訓練",
        "製の",
        "에서 개발",
        "이 개발",
        "가 개발",
        "에 의해",
        "이 만든",
    )
    + "|"
    + _any("가 만든", "에서 만든")
    + r"|(?:"
    + _any("trainiert", "entwickelt", "erstellt", "gebaut", "gemacht")
    + r"[a-z]{0,2}|tarafindan|getrainde?|ontwikkelde?|"
    r"(?:ai|large|language|chat)[^\S\n]{1,4}(?:language[^\S\n]{1,4})?(?:model|assistant|bot))(?!\w))"
)
# A family name or another noun: the word before it is then a person's or thing's name.
SURNAME = re.compile(
    r"[^\S\n]{1,4}(?:(?:van|von|de|del|di|la|le|du|da)[^\S\n]{1,4})?[A-ZÀ-Þ][a-zà-ÿ]+"
)
NOT_SURNAME = re.compile(
    r"[^\S\n]{1,4}(?:AI|Assistant|Model|Agent|Bot|Code|Chat|Pro|Flash|Ultra|Mini|Nano|Large|Medium|Small|"
    r"Sonnet|Opus|Haiku|Coder|Codex|Turbo|Max|Plus|Lite|Instruct|Thinking|Desktop|Command|CLI|Language|"
    r"Team|Labs?|Research|Studio|Maverick|Scout|Next|Omni|Vision|Air|And|I|My|Here|Can|Will)\b"
)

# Names followed by these are no model's: an idea, a rocket, a table, a painter.
NOT_A_MODEL = re.compile(
    r"[^\S\n]{1,4}(?:principles?|arguments?|bias|cosmolog\w+|coincidences?|partitions?|algorithms?|theorem|"
    r"search|trees?|regret|strateg\w+|decision|disks?|schema|header|scheme|criteri\w+|estimators?|"
    r"seats?|constellation|season|street|road)\b"
)

# Marks of chat templates and of reasoning that leaked into an answer.
STYLE = re.compile(
    r"<\|[a-z0-9_▁ -]{2,40}\|>|<｜[^｜>\n]{2,40}｜>|</?\|?(?:think|thinking|thought|reasoning|"
    r"reflection|"
    r"scratchpad|antml[:a-z_-]{0,30}|tool_call|tool_calls|tool_response|function_calls?|invoke|"
    r"start_of_turn|end_of_turn|seed:[a-z_]{2,20}|minimax:[a-z_]{2,20}|arg_key|arg_value|"
    r"longcat_[a-z_]{2,20}|unused\d{1,3})(?: [a-z]{1,12}=[\"'][^\"'\n]{0,60}[\"'])?>|"
    r"</?(?:s|bos|eos)>(?=\s*\[/?INST\])|<<\/?SYS>>|"
    r"\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|THINK|SYSTEM_PROMPT|"
    r"TOOL_CONTENT|gMASK)\]|"
    r"【(?:analysis|commentary|final|think(?:ing)?|\d{1,3}[:†][^】\n]{1,60})】|◁/?think▷|"
    r"\bto=functions\.[a-z_]{1,30}|\bturn\d{1,3}(?:search|view|news)\d{1,3}\b",
    re.IGNORECASE,
)
STYLE_SIGNS = ("<", "[", "【", "◁", "to=functions", "turn0", "turn1")
# All but the two kinds of words open with one of these; from them alone the search is quick.
_STYLE_OPENINGS = re.compile(r"[<\[【◁]")
_STYLE_TURN = re.compile(r"turn\d", re.IGNORECASE)
_STYLE_CALL = "to=funct"


def style_marks(plain: str) -> Iterator[re.Match[str]]:
    """What `STYLE` finds in a folded text that holds one of `STYLE_SIGNS`."""
    if not any(sign in plain for sign in STYLE_SIGNS):
        return
    if _STYLE_CALL in plain or ("turn" in plain and _STYLE_TURN.search(plain)):
        yield from STYLE.finditer(plain)
        return
    last = 0
    for opening in _STYLE_OPENINGS.finditer(plain):
        if opening.start() >= last and (match := STYLE.match(plain, opening.start())):
            last = match.end()
            yield match


# Files and folders that coding agents keep.
AGENTS = (
    "claude",
    "codex",
    "cursor",
    "gemini",
    "qwen",
    "aider",
    "windsurf",
    "cline",
    "clinerules",
    "roo",
    "continue",
    "opencode",
    "copilot",
    "kimi",
    "grok",
    "crush",
    "devin",
    "amp",
    "goose",
    "kiro",
    "trae",
    "augment",
    "junie",
    "openhands",
    "anthropic",
    "openai",
    "codeium",
    "factory",
    "kilocode",
    "rovodev",
    "antigravity",
)
_AGENTS = "|".join(AGENTS)
AGENT_FILES = re.compile(
    rf"(?<![\w.])\.(?:{_AGENTS})(?:rules|ignore|modes)?"
    r"(?=[/\\.\s\"'`),:;\]>]|$)(?:\.[a-z0-9_.-]{1,60}|[/\\][\w./\\-]{1,120})?|"
    rf"(?<![\w-])(?:{_AGENTS}|agents?|warp|crush)\.(?:local\.)?(?:md|mdc)(?!\w)|"
    r"(?<![\w-])(?:opencode|claude_desktop_config|\.?mcp-claude|aider|codex|crush|kilocode)"
    r"\.(?:jsonc?|toml|ya?ml|conf\.yml)(?!\w)|"
    r"(?<![\w-])copilot-instructions\.md|(?<![\w-])\.github/(?:copilot|chatmodes|prompts)(?![a-z])",
)
AGENT_FILE_SIGNS = (
    *(".md", "agent", ".jso", ".tom", ".y", ".github", "rules", "ignore", "modes"),
    *(f".{name}" for name in AGENTS),
)

# Letters written one by one, with the same few signs between them.
SPELLED = re.compile(r"(?<![a-z0-9])[a-z0-9](?:[^\w\n]{1,3}[a-z0-9]|_[a-z0-9]){2,40}(?![a-z0-9])")
# A word broken by signs or with digits for letters.
BROKEN = re.compile(r"[a-z0-9@$!](?:[-*.·|~+_^]{0,2}[a-z0-9@$!]){3,40}")
UNLEET = {
    ord(sign): plain
    for sign, plain in zip("0134578@$!-*.·|~+_^", [*"oieastbasi", *[""] * 9], strict=True)
}
ENCODED = re.compile(r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{8,4000}|[A-Za-z0-9_-]{8,4000})={0,2}")
HALVES = re.compile(
    r"(?:starts?|begins?|starting|beginning)[^\S\n]{1,4}with[^\w\n]{1,4}(\w{2,12})[^\w\n]{1,4}"
    r"(?:and[^\S\n]{1,4})?(?:(?:it|that|which)[^\S\n]{1,4})?(?:ends?|ending|finish(?:es)?)[^\S\n]{1,4}"
    r"(?:with|in|on)[^\w\n]{1,4}(\w{1,12})"
)
HALVES_SIGNS = ("ends with", "ending with", "ends in", "end with", "finishes with")
