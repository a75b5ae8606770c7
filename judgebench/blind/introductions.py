"""Sentences in which a writer introduces himself: "As …, an AI by …, I", "… trained me".

The rules of `judgebench.blind.rules` read the phrase right before a name. Here the
words around it are read as a sentence, over a bounded stretch of one line, so that time
grows with the number of names and not faster. Texts are folded.
"""

import re
from collections.abc import Callable, Iterator

from judgebench.blind.fold import fold
from judgebench.blind.rules import FIRST_PERSON
from judgebench.records import dataclass

_REACH = 140
_S = r"[^\S\n]{1,4}"
_MARK = "▢"
_STOP = re.compile(r"[.!?;](?:\s|$)|\n")
_NOUN = (
    rf"(?:ai|a\.i\.|llm|chatbot|bot|assistant|(?:language|foundation|ai|chat){_S}model|model|"
    rf"(?:ai{_S})?agent)"
)
_DONE = r"(?:trained|made|built|created|developed|designed|engineered|released|provided)"
_COMMA = r"[^\S\n]{0,3}(?:,|\(|-{1,2}|–|—)[^\S\n]{0,3}"
_APPOSED = re.compile(_COMMA)
_CLOSED = re.compile(r"[,)–—]|-(?=[^\S\n])")
_A_NOUN = re.compile(rf"(?<!\w){_NOUN}(?!\w)")
# Nouns of nothing but a model: a "model" may be a blender's or a fashion house's.
_AI = (
    rf"(?:ai|a\.i\.|llm|chatbot|(?:language|foundation|ai|chat){_S}model|ai{_S}(?:assistant|agent))"
)
_AN_AI = re.compile(rf"(?<!\w)(?:{_AI}|assistant)(?!\w)")
_AI_BY = re.compile(
    rf"(?<!\w)(?:{_AI}|assistant){_S}(?:{_DONE}{_S})?(?:by|from){_S}(?:the{_S})?[\"'*_(\[]{{0,3}}$"
)
_MADE_BY = re.compile(rf"(?<!\w){_DONE}{_S}(?:by|at|from)[^\S\n]{{1,4}}[\"'*_(\[]{{0,3}}")
# "a baker," says what somebody is; what follows a second comma is of another clause.
_ROLE = re.compile(rf"(?:an?|the|your|my|our){_S}[^,()–—]{{1,80}}(?:[,)–—]|-(?=[^\S\n]))")
_LEAD = re.compile(
    rf"(?<!\w)(?:as|being|i{_S}am|i'm|(?:my|the){_S}name{_S}is|this{_S}is"
    rf"|(?:written|drafted|prepared|authored|composed|answered|generated|produced|summari[sz]ed"
    rf"|(?:answer|reply|response|text){_S}is){_S}by){_S}[\"'*_(\[]{{0,3}}"
)
# Of these the name after them is the writer's only if more than the words themselves says so.
_POINTING = re.compile(rf"(?:the|this){_S}")
_OF_VENDOR = re.compile(rf"(?:by|from|of|at){_S}(?:the{_S})?[\"'*_(\[]{{0,3}}$")
_VENDORS = re.compile(rf"'s?{_S}(?:[\w-]{{1,20}}{_S}){{0,3}}{_NOUN}(?!\w)")
_VENDORS_BEST = re.compile(
    rf"'s?{_S}(?:[\w-]{{1,20}}{_S}){{0,2}}(?:flagship|newest|latest)"
    r"[\"'*_]{0,3}[^\S\n]{0,4}(?:$|[\n.,;:!?)])"
)
# ", a Google model": apposed to the name before, and the noun ends its phrase.
_SOME = rf"(?:(?:an?|the|your|one{_S}of{_S}the){_S})"
_APPOSED_VENDOR = re.compile(
    rf"{_COMMA}{_SOME}?(?:(?:large|small|compact|fast|free|new|newer|recent|current|latest|helpful"
    rf"|friendly|[a-z]{{1,12}}-[a-z]{{1,12}}){_S}){{0,3}}[\"'*_]{{0,3}}$"
)
_VENDOR_NOUN = re.compile(
    rf"[\"'*_]{{0,3}}{_S}(?:[\w-]{{1,20}}{_S}){{0,3}}?{_NOUN}(?!\w)"
    rf"(?=[\"'*_]{{0,3}}(?:[^\S\n]{{0,4}}(?:$|\n|[.,;:!?)–—])"
    rf"|{_S}(?:for|on|to|as|by|from|of|and|that|who|which|trained|made|built|here)(?!\w)))"
)
# "… made me so angry", "made me and others wait" speak of no maker.
_MADE_TO = (
    rf"(?:and{_S}(?:i|it|they|gave|taught|trained|named|called)|so{_S}(?:that|i|you|we|people|users|they)"
    rf"|but{_S}(?:i|my)|as{_S}(?:an?|the|your|its){_S}(?:[\w-]{{1,20}}{_S}){{0,3}}"
    rf"(?:{_NOUN}|helper|tool|companion|partner|guide)|for(?!{_S}(?:once|an?|the{_S}first)(?!\w))"
    rf"|to{_S}(?:help|be|assist|answer))(?!\w)"
)
_ME = re.compile(
    rf"(?:'s{_S}(?:team|people|researchers|engineers))?{_S}(?:(?:has|have|had|who|that|which){_S})?"
    rf"(?:(?:trained|created|developed|programmed|pretrained|fine-tuned){_S}me(?!\w)|"
    rf"(?:made|built|designed){_S}me(?:[^\S\n]{{0,2}}(?:[.;:!?)]|$|\n)|,?{_S}{_MADE_TO}))"
)
_SOMEBODY_AT = re.compile(rf"(?<!\w)(?:at|from|of|in|with|by|for|on|to|near){_S}$")
_TEAM_AT = re.compile(rf"(?<!\w)(?:team|people|researchers|engineers|folks){_S}(?:at|from){_S}$")
_GREETED = re.compile(
    rf"(?:^|\n|(?<!\w)(?:hi|hello|hey|greetings)(?:{_S}there)?[,.!]?{_S})[\s\"'*_>]{{0,6}}"
    rf"this{_S}is{_S}[\"'*_]{{0,3}}$"
)
# "The name is …" says it only in the first sentence: a later one may name a cat.
_OPENS = re.compile(
    rf"[\s\"'*_>#(-]{{0,8}}"
    rf"(?:(?:well|hi|hello|hey|greetings|good{_S}(?:morning|day|afternoon|evening))"
    rf"(?:{_S}(?:there|all|everyone|everybody|friends?|again))?[\"'*_]{{0,3}}"
    r"[^\S\n]{0,2}[,.!:–—-]{0,2}[\"'*_]{0,3}\s{1,4}[\"'*_]{0,3})?"
    rf"the{_S}name{_S}is{_S}[\"'*_(\[]{{0,3}}"
)
_OPENING_REACH = 80
_HELLO = (
    rf"(?:hi|hello|hey|greetings|welcome|good{_S}(?:morning|day|afternoon|evening)|hallo|servus"
    rf"|guten{_S}(?:tag|morgen|abend)|bonjour|bonsoir|salut|coucou|hola|buenos{_S}dias|ola|oi|ciao"
    rf"|buongiorno|hoi|hej|czesc|ahoj|merhaba|{fold('привет').text}|{fold('здравствуйте').text})"
    rf"(?:{_S}(?:there|all|again|everyone|everybody|friends?|team|zusammen|a{_S}tous|a{_S}todos))?"
)
# "Hi! It's …", "Bonjour, c'est …": a greeting says that the writer comes.
_HELLO_ITS = re.compile(
    rf"(?:^|\n)[\s\"'*_>]{{0,6}}{_HELLO}[\"'*_]{{0,3}}[^\S\n]{{0,2}}[,.!:–—-]{{0,2}}[\"'*_]{{0,3}}\s{{1,4}}"
    rf"(?:it's|it{_S}is|c'est|das{_S}ist|es{_S}ist|hier(?:{_S}ist)?|es|e{_S}o|aqui|qui|her{_S}er"
    rf"|det{_S}(?:ar|er)|{fold('это').text}){_S}[\"'*_]{{0,3}}$"
)
# Without one "It's Gemini." answers a question as well.
_ITS = re.compile(rf"[\s\"'*_>#(-]{{0,8}}(?:well,?{_S})?(?:it's|it{_S}is){_S}[\"'*_(\[]{{0,3}}")
_CRIED = re.compile(r"[\"'*_]{0,3}[^\S\n]?!")
_THAT_IS_ALL = re.compile(
    rf"[\"'*_]{{0,3}}(?:{_COMMA}{_SOME}(?:[\w-]{{1,20}}{_S}){{0,4}}?{_NOUN}\)?)?"
    rf"[\"'*_]{{0,3}}(?:[.!]?[\"'*_]{{0,3}}[^\S\n]{{0,4}}(?:\n|$)|[.!]{_S}"
    rf"|,{_S}(?:and{_S}i|how|your|i|i'm|i'll|here)(?!\w)|{_S}and{_S}i(?!\w))"
)
# ", a Google model", ", from Google" after a name.
_AN_AI_APPOSED = re.compile(rf"{_COMMA}{_SOME}(?:[\w-]{{1,20}}{_S}){{0,4}}?{_NOUN}\)?(?!\w)")
_FROM_VENDOR = re.compile(rf"(?:{_COMMA}|{_S})(?:{_DONE}{_S})?(?:from|by){_S}[\"'*_(\[]{{0,3}}")
_WORD = re.compile(r"[\w-]{1,20}")
_VENDOR = re.compile(rf"(?:▢{{1,9}}|[\w-]{{1,20}}(?:{_S}(?:ai|cloud|deepmind))?)[\"'*_)\]]{{0,3}}")
_AND_I = re.compile(
    r"[\"'*_)]{0,3}(?:[.!]?[\"'*_)]{0,3}\s{0,8}\Z"
    rf"|(?:[.;!][\"'*_]{{0,3}}\s{{1,8}}|(?:[^\S\n]{{0,3}}(?:[,:]|-{{1,2}}|–|—))?{_S}(?:and|but|so){_S})my(?!\w)"
    rf"|(?:[^\S\n]{{0,3}}(?:[,.;:!]|-{{1,2}}|–|—)[\"'*_]{{0,3}}\s{{1,8}}|{_S}(?=and(?!\w)))"
    rf"(?:(?:and|but|so){_S})?(?:(?:i|i'm|i'll|i've|i'd|let{_S}me)(?!\w)"
    rf"|(?:here|this){_S}(?:is|are){_S}my(?!\w)|here{_S}(?:i{_S}am|to{_S}help)(?!\w)"
    rf"|at{_S}your{_S}service|how{_S}(?:can|may){_S}i(?!\w)|your{_S}(?:[\w-]{{1,20}}{_S}){{0,2}}{_NOUN}(?!\w)"
    rf"|(?:(?:it{_S}is|it's|it{_S}was|very|so|a){_S}){{0,3}}(?:nice|pleased|good|great|glad|happy|pleasure){_S}"
    rf"(?:to{_S}(?:meet|help|assist|see{_S}you|be{_S}(?:here|of))|meeting{_S}you)(?!\w)))"
)
# "Written by …" with what it is for; other credits are read in the rules.
_WROTE = re.compile(
    rf"(?<!\w)(?:written|drafted|prepared|authored|composed|answered|summari[sz]ed"
    rf"|(?:answer|reply|response|text){_S}is){_S}by{_S}"
    r"[\"'*_(\[]{0,3}$"
)
_I_AM_A = re.compile(
    rf"(?<!\w)(?:i{_S}am|i'm){_S}(?:(?:just|only|simply){_S})?(?:an?|one{_S}of{_S}the){_S}[\"'*_]{{0,3}}$"
)
_I_AM_BY = re.compile(
    rf"(?<!\w)(?:i{_S}am|i'm){_S}(?:(?:just|only|simply){_S})?(?:an?|the){_S}"
    rf"(?:(?:large|small|free|new|(?:{_AI}|language)){_S}){{0,3}}?(?:(?:{_AI}|model){_S}(?:{_DONE}{_S})?by"
    rf"|{_AI}{_S}(?:{_DONE}{_S})?from){_S}[\"'*_(\[]{{0,3}}$"
)
# "Je suis un modèle de Google", "Я языковая модель от Google".
_I_AM_OF = re.compile(
    rf"(?<!\w)(?:je{_S}suis|soy|sou|sono|ik{_S}ben|ich{_S}bin|jag{_S}ar|jestem|{fold('я').text})"
    rf"(?:{_S}-)?{_S}(?:(?:une?|uma?|ein|eine|een|en|das|der|die|il|el|le|la|o){_S})?"
    rf"(?:[\w-]{{1,20}}{_S}){{0,3}}?"
    rf"(?:modele|modelo|modello|modell|model|modelem|{fold('модель').text}"
    rf"|assistente?|asistente|ki|ia)(?:{_S}\w{{1,20}}){{0,3}}?{_S}"
    rf"(?:de|do|da|di|del|van|von|av|od|by|chez|{fold('от').text}){_S}[\"'*_(\[]{{0,3}}$"
)
_MODEL_ENDS = re.compile(
    rf"[\"'*_]{{0,3}}{_S}(?:(?:large|small|language|chat|ai|foundation){_S}){{0,3}}(?:{_AI}|models?)"
    rf"(?=[\"'*_]{{0,3}}[^\S\n]{{0,4}}(?:$|[\n.,;:!?)–—]|here(?!\w)))"
)
_FREELY = re.compile(
    r"[\"'*_)\]]{0,3}(?:[^\S\n]{0,4}(?:$|\n|[.,;:!?(–—])|[^\S\n]{1,4}(?:for|on|to|as)(?!\w))"
)
_FORMS = frozenset({"haiku", "sonnet", "opus"})
"""Names that are kinds of works as well: "This is Haiku" presents a poem."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Other:
    """A known name elsewhere in the text, whatever it means there."""

    end: int
    likely: bool
    """The name is no common word first of all."""


NameAt = Callable[[int], Other | None]
"""The known name that starts at a place of the text."""


def introduces(
    text: str, start: int, end: int, *, likely: bool, certain: bool, name_at: NameAt
) -> bool:
    """Whether the sentence around a name presents its writer by it.

    Args:
        text: The folded text.
        start: Where the name starts.
        end: Where it ends.
        likely: The name is no common word first of all.
        certain: The name is hardly ever the answer to a question.
        name_at: Tells of a place which other known name stands there.
    """
    before = text[max(0, start - _REACH) : start]
    if likely and _comes_in(text, before, start, end, certain=certain):
        return True
    if _ME.match(text[end : end + _REACH]):
        return _SOMEBODY_AT.search(before) is None or _TEAM_AT.search(before) is not None
    if _is_writer(text, start, end, likely=likely, name_at=name_at):
        return True
    return _is_kind(text, before, end) or _is_vendor(text, start, end, name_at=name_at)


def _is_writer(text: str, start: int, end: int, *, likely: bool, name_at: NameAt) -> bool:
    """Whether a name is the writer's own, by what stands around it."""
    if likely and _is_told(text, start, end, name_at=name_at):
        return True
    return _is_role(text, start, end, likely=likely, name_at=name_at)


def _is_told(text: str, start: int, end: int, *, name_at: NameAt) -> bool:
    """Whether "this is …" or "the name is …" gives a name, or "written by … for" credits it."""
    before = text[max(0, start - _REACH) : start]
    if _WROTE.search(before) and _FREELY.match(text[end : end + _REACH]):
        return True
    if text[start:end].split(" ", maxsplit=1)[0] in _FORMS:
        return False
    opens = _opens(text, start)
    if not opens and _GREETED.search(before) is None:
        return False
    vendor = _past_vendor(text, end, name_at=name_at)
    if vendor and _THAT_IS_ALL.match(text, vendor):
        return True
    return _is_done(text, end) if opens else _THAT_IS_ALL.match(text, end) is not None


def _comes_in(text: str, before: str, start: int, end: int, *, certain: bool) -> bool:
    """Whether "it's …" announces the writer: after a greeting, or as the text's first words."""
    if _HELLO_ITS.search(before):
        return _THAT_IS_ALL.match(text, end) is not None or _CRIED.match(text, end) is not None
    if start > _OPENING_REACH or _ITS.fullmatch(text, 0, start) is None:
        return False
    goes_on = _AND_I.match(text, end)
    if goes_on is not None and text[goes_on.end() :].strip():
        return True
    return certain and _CRIED.match(text, end) is not None


def _opens(text: str, start: int) -> bool:
    """Whether the text begins with "the name is", up to a name."""
    return start <= _OPENING_REACH and _OPENS.fullmatch(text, 0, start) is not None


def _is_done(text: str, end: int) -> bool:
    """Whether the writer goes on as "I" after his name, or is done."""
    apposed = _AN_AI_APPOSED.match(text, end)
    if apposed is not None and _AND_I.match(text, apposed.end()):
        return True
    return _AND_I.match(text, end) is not None


def _past_vendor(text: str, end: int, *, name_at: NameAt) -> int | None:
    """Where ", a Google model", ", a model by Google" or ", from Google" after a name ends."""
    apposed = _AN_AI_APPOSED.match(text, end)
    if apposed is not None:
        words = _WORD.finditer(text, end, apposed.end())
        if any(_is_known(text, word.start(), name_at=name_at) for word in words):
            return apposed.end()
        end = apposed.end()
    by = _FROM_VENDOR.match(text, end)
    if by is None or not _is_known(text, by.end(), name_at=name_at):
        return None
    vendor = _VENDOR.match(text, by.end())
    return vendor.end() if vendor else None


def _is_known(text: str, at: int, *, name_at: NameAt) -> bool:
    return text.startswith(_MARK, at) or name_at(at) is not None


def _is_kind(text: str, before: str, end: int) -> bool:
    """The vendor in "I am a Google model", "I am a model by Google"."""
    # What follows "Google" in "Google AI" is a part of the name to whoever found it.
    named = end - len(" ai") if text.endswith(" ai", 0, end) else end
    if _I_AM_A.search(before):
        return _MODEL_ENDS.match(text, named) is not None
    by = _I_AM_BY.search(before) or _I_AM_OF.search(before)
    return by is not None and _FREELY.match(text, end) is not None


def _leads(text: str, first: int, start: int) -> Iterator[re.Match[str]]:
    """Openings before which nothing stands that would give them to somebody else."""
    for lead in _LEAD.finditer(text, first, start):
        if not lead.group().startswith("the") or _opens(text, lead.end()):
            yield lead


def _is_role(text: str, start: int, end: int, *, likely: bool, name_at: NameAt) -> bool:
    """Whether a name is apposed to a role: "As …, an AI, I", "As …, made by …"."""
    lead = list(_leads(text, max(0, start - 24), start))
    if not lead or lead[-1].end() != start:
        return False
    stop = _sentence_end(text, end)
    opened = _APPOSED.match(text, end, stop)
    if opened is None:
        return False
    made = _MADE_BY.search(text, opened.end(), stop)
    if made is not None and _is_known(text, made.end(), name_at=name_at):
        return True
    role = _ROLE.match(text, opened.end(), stop)
    if likely and role and FIRST_PERSON.match(text, role.end()):
        return True
    noun = _A_NOUN.search(text, opened.end(), stop)
    return noun is not None and _goes_on_as_i(text, noun.end(), stop)


def _is_vendor(text: str, start: int, end: int, *, name_at: NameAt) -> bool:
    """The vendor in "As …, a model by Google, I", "I am …, Google's assistant"."""
    first = max(0, start - _REACH)
    named = end - len(" ai") if text.endswith(" ai", start, end) else end
    apposed = _VENDOR_NOUN.match(text, named)
    apposed = apposed or _VENDORS_BEST.match(text, end)
    if apposed is None or not _APPOSED_VENDOR.search(text, first, start):
        apposed = _VENDORS.match(text, end)
    by_words = _OF_VENDOR.search(text, max(first, start - 24), start)
    if not (apposed or by_words):
        return False
    said = apposed is not None and _AN_AI.search(apposed.group()) is not None
    is_ai = said or _AI_BY.search(text, first, start) is not None
    for lead in _leads(text, first, start):
        if _STOP.search(text, lead.end(), start):
            continue
        if not _is_named(text, lead, is_ai=is_ai, name_at=name_at):
            continue
        if not lead.group().startswith(("as", "being")):
            return True
        if _goes_on_as_i(text, end, _sentence_end(text, end)):
            return True
    return False


def _is_named(text: str, lead: re.Match[str], *, is_ai: bool, name_at: NameAt) -> bool:
    """Whether an opening is followed by a name that is taken for the writer's."""
    at = lead.end()
    if text.startswith(_MARK, at):
        return True
    name = name_at(at)
    if name is None or is_ai or not _POINTING.match(lead.group()):
        return name is not None
    return _is_writer(text, at, name.end, likely=name.likely, name_at=name_at)


def _sentence_end(text: str, start: int) -> int:
    last = min(len(text), start + _REACH)
    found = _STOP.search(text, start, last)
    return found.start() if found else last


def _goes_on_as_i(text: str, start: int, stop: int) -> bool:
    """Whether a clause ends after `start`, and the next one is of "I"."""
    return any(FIRST_PERSON.match(text, sign.end()) for sign in _CLOSED.finditer(text, start, stop))
