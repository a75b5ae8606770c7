"""Sentences in which a writer introduces himself: "As …, an AI by …, I", "… trained me".

The rules of `judgebench.blind.rules` read the phrase right before a name. Here the
words around it are read as a sentence, over a bounded stretch of one line, so that time
grows with the number of names and not faster. Texts are folded.
"""

import re
from collections.abc import Callable

from judgebench.blind.rules import FIRST_PERSON

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
_MADE_BY = re.compile(rf"(?<!\w){_DONE}{_S}(?:by|at|from)[^\S\n]{{1,4}}[\"'*_(\[]{{0,3}}")
# "a baker," says what somebody is; what follows a second comma is of another clause.
_ROLE = re.compile(rf"(?:an?|the|your|my|our){_S}[^,()–—]{{1,80}}(?:[,)–—]|-(?=[^\S\n]))")
_LEAD = re.compile(
    rf"(?<!\w)(?:as|being|i{_S}am|i'm|(?:my|the){_S}name{_S}is|this{_S}is"
    rf"|(?:written|drafted|prepared|authored|composed|answered|generated|produced|summari[sz]ed"
    rf"|(?:answer|reply|response|text){_S}is){_S}by){_S}[\"'*_(\[]{{0,3}}"
)
_OF_VENDOR = re.compile(rf"(?:by|from|of|at){_S}(?:the{_S})?[\"'*_(\[]{{0,3}}$")
_VENDORS = re.compile(rf"'s?{_S}(?:[\w-]{{1,20}}{_S}){{0,3}}{_NOUN}(?!\w)")
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
_ME = re.compile(
    rf"(?:'s{_S}(?:team|people|researchers|engineers))?{_S}(?:(?:has|have|had|who|that|which){_S})?"
    rf"(?:(?:trained|created|developed|programmed|pretrained|fine-tuned){_S}me(?!\w)|"
    rf"(?:made|built|designed){_S}me(?:[^\S\n]{{0,2}}(?:[.;:!?)]|$|\n)|,?{_S}(?:and(?!{_S}my)|so|but|as|for|"
    rf"to{_S}(?:help|be|assist|answer))(?!\w)))"
)
_SOMEBODY_AT = re.compile(rf"(?<!\w)(?:at|from|of|in|with|by|for|on|to|near){_S}$")
_TEAM_AT = re.compile(rf"(?<!\w)(?:team|people|researchers|engineers|folks){_S}(?:at|from){_S}$")
_GREETED = re.compile(
    rf"(?:^|\n|(?<!\w)(?:hi|hello|hey|greetings)(?:{_S}there)?[,.!]?{_S})[\s\"'*_>]{{0,6}}"
    rf"this{_S}is{_S}[\"'*_]{{0,3}}$"
)
_NAMED = re.compile(
    rf"(?:(?:^|[\n.!?:>])[\s\"'*_(-]{{0,8}}|(?<!\w)(?:hi|hello|hey|greetings)[,.!]?{_S})"
    rf"the{_S}name{_S}is{_S}[\"'*_]{{0,3}}$"
)
_THAT_IS_ALL = re.compile(
    rf"[\"'*_]{{0,3}}(?:{_COMMA}{_SOME}(?:[\w-]{{1,20}}{_S}){{0,4}}?{_NOUN}\)?)?"
    rf"[\"'*_]{{0,3}}(?:[.!]?[\"'*_]{{0,3}}[^\S\n]{{0,4}}(?:\n|$)|[.!]{_S}"
    rf"|,{_S}(?:and{_S}i|how|your|i|i'm|i'll|here)(?!\w)|{_S}and{_S}i(?!\w))"
)
# "Written by …" with what it is for; other credits are read in the rules.
_WROTE = re.compile(
    rf"(?<!\w)(?:written|drafted|prepared|authored|composed|answered|summari[sz]ed"
    rf"|(?:answer|reply|response|text){_S}is){_S}by{_S}"
    r"[\"'*_(\[]{0,3}$"
)
_FREELY = re.compile(
    r"[\"'*_)\]]{0,3}(?:[^\S\n]{0,4}(?:$|\n|[.,;:!?(–—])|[^\S\n]{1,4}(?:for|on|to|as)(?!\w))"
)
_FORMS = frozenset({"haiku", "sonnet", "opus"})
"""Names that are kinds of works as well: "This is Haiku" presents a poem."""

IsName = Callable[[int], bool]
"""Whether a known name stands at a place of the text."""


def introduces(text: str, start: int, end: int, *, likely: bool, is_name: IsName) -> bool:
    """Whether the sentence around a name presents its writer by it.

    Args:
        text: The folded text.
        start: Where the name starts.
        end: Where it ends.
        likely: The name is no common word first of all.
        is_name: Tells of a place whether another known name stands there.
    """
    before = text[max(0, start - _REACH) : start]
    after = text[end : end + _REACH]
    if _ME.match(after):
        return _SOMEBODY_AT.search(before) is None or _TEAM_AT.search(before) is not None
    if likely and _is_told(text[start:end], before, after):
        return True
    return _is_role(text, start, end, likely=likely, is_name=is_name) or _is_vendor(
        text, start, end, is_name=is_name
    )


def _is_told(name: str, before: str, after: str) -> bool:
    """Whether "this is …" or "the name is …" gives a name, or "written by … for" credits it."""
    if _WROTE.search(before) and _FREELY.match(after):
        return True
    if name in _FORMS or _THAT_IS_ALL.match(after) is None:
        return False
    return _GREETED.search(before) is not None or _NAMED.search(before) is not None


def _is_role(text: str, start: int, end: int, *, likely: bool, is_name: IsName) -> bool:
    """Whether a name is apposed to a role: "As …, an AI, I", "As …, made by …"."""
    lead = list(_LEAD.finditer(text, max(0, start - 24), start))
    if not lead or lead[-1].end() != start:
        return False
    stop = _sentence_end(text, end)
    opened = _APPOSED.match(text, end, stop)
    if opened is None:
        return False
    made = _MADE_BY.search(text, opened.end(), stop)
    if made is not None and (is_name(made.end()) or text.startswith(_MARK, made.end())):
        return True
    role = _ROLE.match(text, opened.end(), stop)
    if likely and role and FIRST_PERSON.match(text, role.end()):
        return True
    noun = _A_NOUN.search(text, opened.end(), stop)
    return noun is not None and _goes_on_as_i(text, noun.end(), stop)


def _is_vendor(text: str, start: int, end: int, *, is_name: IsName) -> bool:
    """The vendor in "As …, a model by Google, I", "I am …, Google's assistant"."""
    first = max(0, start - _REACH)
    # What follows "Google" in "Google AI" is a part of the name to whoever found it.
    named = end - len(" ai") if text.endswith(" ai", start, end) else end
    apposed = _VENDOR_NOUN.match(text, named) and _APPOSED_VENDOR.search(text, first, start)
    by_words = _OF_VENDOR.search(text, max(first, start - 24), start) or _VENDORS.match(text, end)
    if not (apposed or by_words):
        return False
    for lead in _LEAD.finditer(text, first, start):
        known = is_name(lead.end()) or text.startswith(_MARK, lead.end())
        if not known or _STOP.search(text, lead.end(), start):
            continue
        if not lead.group().startswith(("as", "being")):
            return True
        if _goes_on_as_i(text, end, _sentence_end(text, end)):
            return True
    return False


def _sentence_end(text: str, start: int) -> int:
    last = min(len(text), start + _REACH)
    found = _STOP.search(text, start, last)
    return found.start() if found else last


def _goes_on_as_i(text: str, start: int, stop: int) -> bool:
    """Whether a clause ends after `start`, and the next one is of "I"."""
    return any(FIRST_PERSON.match(text, sign.end()) for sign in _CLOSED.finditer(text, start, stop))
