"""Which names in a project say who wrote it, as opposed to what it is about.

A program that calls a vendor's API is judged on that, so names in code stay. Masked is
what a reader learns of the author from: every name in a comment; in prose, documentation,
pages and manifests only a name that the words around it call the author; every name in
a field that is there for authors. What is left is counted as visible.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import Enum, auto
from itertools import accumulate
from pathlib import PurePosixPath

from judgebench.blind import rules
from judgebench.blind.authors import author_fields, is_ignore_list, is_manifest, within
from judgebench.blind.comments import is_prose, words_of
from judgebench.blind.fold import Folded, fold
from judgebench.blind.languages import signs_of
from judgebench.blind.leaks import Hit, Named, Scanner, names_of
from judgebench.blind.names import Weight
from judgebench.records import dataclass

Place = tuple[int, int, int]
"""A line from 0, first and last character of what is masked in it."""

_SIGNED = frozenset({"trailer", "self-name"})
_PAGES = frozenset(
    {"astro", "cshtml", "ejs", "erb", "hbs", "heex", "htm", "html", "ipynb", "j2", "jinja",
     "jinja2", "jsp", "latex", "liquid", "mustache", "njk", "qmd", "razor", "rmd", "svelte", "svg",
     "tex", "twig", "typ", "vue", "xhtml", "xml"}
)  # fmt: skip
_DATA = frozenset({"csv", "geojson", "json", "jsonl", "lock", "ndjson", "tsv"})
_COMMENT_LIKE = re.compile(
    r"\s*(?:#|//|/\*|\*|--|;|%|!|'|\"|<!--|<#|\(\*|\{-|\{#|rem\s|dnl\s|\\\s)", re.IGNORECASE
)
_WINDOW = 160
# Between the words of an attribution may stand a line's end with the sign of its comment.
_S = r"(?:[^\S\n]{1,4}|[^\S\n]{0,4}\n[^\S\n]{0,12}[#*/;%>!|-]{0,4}[^\S\n]{0,4})"
_OPEN = r"[\"'*_`(\[<«“„]{0,4}"
_AID = (
    rf"(?:(?:the|an|a|my|your|our|its){_S})?(?:(?:ai|llm|coding|large|language|agentic|autonomous"
    rf"|model|agent|assistant|tool|pair|programmer|developer|engineer|editor|cli|bot|friend|partner"
    rf"|called|named|version|of){_S}){{0,5}}"
)
_DONE = (
    r"(?:(?:re|co-?|auto-?|vibe-?|hand-?|ai-|machine-?)?(?:written|authored|created|generated|made"
    r"|built|coded|developed|produced|drafted|designed|implemented|crafted|prepared|composed"
    r"|assembled|scaffolded|bootstrapped|prototyped|refactored|reviewed|fixed|maintained"
    r"|vibed|updated|documented|programmed|ported|engineered|contributed|committed|planned|architected|prompted"
    r"|one-shot(?:ted)?|completed|finished|edited|hardened|improved|assisted|delivered|tested))"
)
_BY = (
    rf"(?:by|with|using|via|from|through|in|thanks{_S}to"
    rf"|(?:with{_S})?(?:the{_S})?(?:help|aid|assistance|support){_S}(?:of|from|by))"
)
_LOVE = rf"(?:(?:[^\w\s]{{1,6}}|love|care|some{_S}help|help|the{_S}help){_S}{{0,2}}){{0,2}}"
_BEFORE = re.compile(
    rf"(?:(?<!\w)(?P<done>{_DONE})(?:,?{_S}(?:and|&|\+){_S}{_DONE})?(?:{_S}\w{{2,14}}ly"
    rf"|{_S}(?:entirely|together|end[- ]to[- ]end|for{_S}you|from{_S}scratch"
    rf"|in{_S}(?:collaboration|partnership|cooperation|tandem|(?:one|a{_S}single){_S}session)))"
    rf"{{0,2}}{_S}{_BY}"
    rf"(?:{_S}{_LOVE}(?:{_BY}{_S})?)?"
    rf"|(?<!\w)(?:co-?)?(?:author(?:s|ed{_S}by)?|written|created|generated|coded|built|made"
    rf"|developed|maintainers?|contributors?|credits?|developers?|engineer|coder"
    rf"|programmer|committer|editor|signed(?:-off)?|assisted|signature)(?:[- ]by)?[\"'*_]{{0,3}}"
    rf"[^\S\n]{{0,4}}[|:=][^\S\n]{{0,4}}"
    rf"[|*_]{{0,2}}{_S}{{0,1}}"
    rf"|(?<!\w){_DONE}[- ]by[\"'*_]{{0,3}}[^\S\n]{{0,4}}[|:=][^\S\n]{{0,4}}[|*_]{{0,2}}{_S}{{0,1}}"
    # The same as folded French, German, Spanish, Portuguese and Italian say it.
    rf"|(?<!\w)(?P<abroad>(?:ecrit|code|developpe|cree|genere|realise|concu|redige)e?s?{_S}(?:par|avec)"
    rf"|(?:erstellt|geschrieben|entwickelt|gebaut|programmiert|generiert|umgesetzt){_S}(?:von|mit|durch)"
    rf"|(?:escrit|desarrollad|cread|generad|hech|desenvolvid|criad|gerad|feit|programad)[oa]s?{_S}"
    rf"(?:por|con|com|pel[oa])|(?:scritt|creat|sviluppat|generat|realizzat)[oaie]{_S}(?:da|con)){_S}"
    # A heading, and the names under it.
    rf"|(?:^|\n)#{{1,6}}[^\S\n]{{1,4}}(?:the{_S})?(?:authors?|contributors?|credits?|maintainers?)"
    rf"[^\S\n]{{0,4}}\n(?:[^\S\n]{{0,4}}\n)?[^\S\n]{{0,4}}(?:[-*+][^\S\n]{{1,4}})?"
    rf"|(?<!\w)(?:the|its|this{_S}project's){_S}author(?:'s{_S}notes?)?[^\S\n]{{0,2}}[,(][^\S\n]?"
    rf"|(?<!\w)(?:ai|llm)-(?:generated|written|authored|made|built|coded|assisted)[^\S\n]?[,(:]{_S}{{0,1}}"
    rf"|(?<!\w)(?:(?:implementation|design|review|developer'?s?){_S})?(?:notes?|plan|project|app|readme"
    rf"|review|edit|update|implementation|attempt|submission){_S}by{_S}"
    rf"|(?<!\w)notes?{_S}from{_S}"
    rf"|(?:^|\n)[^\w\n]{{0,4}}(?:(?:yours{_S})?sincerely|(?:(?:best|kind|warm){_S})?regards|cheers|signed"
    rf"|your{_S}friend),[^\S\n]{{0,4}}\n?"
    rf"|(?<!\w)(?:thanks|thank{_S}you|credits?|kudos|props|courtesy|credit{_S}goes)"
    rf"{_S}(?:to|of){_S}"
    rf"|(?<!\w)(?:help|assistance|aid|contributions?|handiwork|work|commits?|code|patch(?:es)?){_S}"
    rf"(?:of|from|by){_S}"
    rf"|(?<!\w)pair(?:ed|ing)?(?:[- ]programm(?:ed|ing))?{_S}with{_S}"
    rf"|(?:^|\n)[^\w\n]{{0,12}}by{_S}"
    rf"|(?<!\w)(?:i|me|we)[^\S\n]{{0,3}}[(,:-]{{1,2}}[^\S\n]{{0,3}}"
    rf"|(?<!\w)my{_S}(?:model|name){_S}is{_S}"
    rf"|(?:copyright(?!{_S}(?:notices?|laws?|headers?|checks?|claims?)(?!\w))|\(c\)|©)[^\n]{{0,80}}?"
    rf")(?P<aid>{_AID}){_OPEN}(?:{_AID})?\Z"
)
_OBJECT = (
    rf"(?:this|it|all|everything|most|every|these|both|my|the{_S}(?:\w+{_S}){{0,2}}(?:code|app"
    rf"|project|tests?|readme|page|repo|repository|docs?|documentation|plan|implementation|files?"
    rf"|module|script|service|program|library|application|version|rest|whole|commits?|changes?))(?!\w)"
)
_MAKE = r"(?:write|build|make|create|generate|implement|code|design|develop|refactor|fix|draft)"
# "I used … to build this", "we had … write the tests": only both sides together tell.
_ASKED_BEFORE = re.compile(
    rf"(?<!\w)(?:i|we)(?:'ve|{_S}have)?{_S}(?:used|asked|had|let|told|prompted){_S}"
    rf"(?P<aid>{_AID}){_OPEN}\Z"
)
_ASKED_AFTER = re.compile(
    rf"[\"'*_`)\]]{{0,3}}(?:[^\S\n]{{0,2}}\([^()\n]{{1,60}}\))?{_S}(?:to{_S})?{_MAKE}{_S}{_OBJECT}"
)
_AFTER = re.compile(
    rf"[\"'*_`)\]]{{0,3}}(?:"
    rf"[^\S\n]{{0,2}}(?:\([^()\n]{{1,60}}\))?{_S}(?:(?:has|have|had|also|then|\w+ly){_S}){{0,2}}"
    rf"(?:wrote|written|built|made|created|generated|implemented|coded|designed|developed|authored"
    rf"|fixed|refactored|drafted|produced|reviewed|planned){_S}{_OBJECT}"
    r"|-(?:generated|written|authored|made|built|coded|assisted|created|reviewed)(?!\w)"
    rf"|[^\S\n]{{0,2}}(?:\([^()\n]{{1,60}}\))?{_S}(?:was|were|is){_S}used{_S}to{_S}{_MAKE}{_S}{_OBJECT}"
    rf"|{_S}helped{_S}(?:(?:me|us){_S})?(?:to{_S})?{_MAKE}{_S}{_OBJECT}"
    rf"|(?:'s){_S}(?:work|code|implementation|commit|project|plan|notes?|review|solution|version"
    rf"|readme|attempt|submission)(?!\w)"
    rf"|,?{_S}(?:is{_S}|as{_S}|was{_S})?(?:the{_S}|an?{_S}|your{_S}|my{_S})(?:sole{_S}|ai{_S}"
    rf"|coding{_S}|pair{_S}|lead{_S})?(?:author|developer|engineer|programmer|coder|assistant|agent"
    rf"|contributor|maintainer)(?!\w)(?!{_S}(?:api|sdk|id|role|message|turn))"
    rf"|,?{_S}who{_S}(?:wrote|built|made|created|coded){_S}"
    r"|[^\S\n]{0,2}\((?:author|developer|maintainer|ai author)\)"
    r")"
)
_MATTER_AFTER = re.compile(
    r"(?:'s)?[\"'*_`)\]]{0,2}[\s-]{0,2}(?:[\w.-]{1,20}[\s-])?(?:apis?|sdk|client|librar\w+"
    r"|packages?|endpoints?|keys?|chat[\s-]completions?|completions?|compatible|gem|wrapper"
    r"|embeddings?|function[\s-]calling|tool[\s-](?:calls?|use)|responses?|protocol|tokenizer"
    r"|messages?[\s-]api|adapter|provider|backend|integration|stub|mock|transport|connector"
    r"|plugin|driver|service|server)(?!\w)"
)
_MATTER_BEFORE = re.compile(
    r"(?<!\w)(?:repl(?:y|ies)|answers?|responses?|messages?|completions?|summar(?:y|ies)"
    r"|embeddings?|suggestions?|translations?|captions?|titles?|reponses?|antwort(?:en)?"
    r"|respuestas?|respostas?|rispost[ae]|resumes?|resumen(?:es)?)(?!\w)[^.!?\n]{0,40}\Z"
    r"|(?<!\w)(?:powered|backed|driven|answered|served|hosted)[^\S\n]{1,4}by[^\w\n]{1,6}(?:the )?\Z"
)
_CALLED = re.compile(r"(?:api|sdk)\Z")
_FREE_END = re.compile(
    r"[\"'*_`)\]]{0,3}[^\S\n]{0,4}(?:$|\n|[^\w\s'\-/]|(?:and|using|via|through|for|to|as|during|over"
    r"|under|without|after|before|because|so|but|or|who|which|that|then|when|if|in|on|with|from|at"
    r"|is|was|has|had|cli|agent|ai|code)(?!\w))"
)
_SIGNS = " \t#*/;%!-<>=(){}[]_'\"`~|.,"
_BULLET = re.compile(r"[^\S\n]{0,12}(?:[-*+•]|\d{1,2}[.)])[^\S\n]{1,4}\S")
# What is named in the same breath as the author: a link, an address, a company, a tool.
_CHAIN = re.compile(
    rf"[\"'*_`)\]]{{0,3}}(?:{_S}{{0,1}}[(\[<]{{1,2}}[^()\[\]<>\n]{{0,120}}?|\]\([^()\n]{{0,120}}?"
    rf"|(?:{_S}{{0,1}}(?:,|and|&|\+|/|\||with|via|in|using|on|through|from|by|of|'s|—|-|·)){{1,2}}"
    rf"{_S}{{0,1}}{_AID}){_OPEN}\Z"
)
_ADDRESS = re.compile(
    r"[^\s<>()\[\]\"'`|,;]{0,200}@[\w.-]{1,100}|https?://[^\s<>()\[\]\"'`|]{1,300}"
)
# Where people talk to assistants and run agents, unlike the hosts that programs call.
_ASSISTANT_HOST = re.compile(
    r"(?:https?://)?(?:www\.)?(?:claude\.(?:ai|com)|chatgpt\.com|chat\.openai\.com"
    r"|openai\.com/(?:codex|chatgpt)|anthropic\.com/claude|gemini\.google\.com|g\.co/gemini"
    r"|aistudio\.google\.com|copilot\.microsoft\.com|github\.com/(?:copilot|features/copilot"
    r"|apps/copilot|anthropics/claude|openai/codex|google-gemini)|cursor\.(?:com|sh|so)"
    r"|windsurf\.com|codeium\.com|aider\.chat|devin\.ai|app\.devin\.ai|opencode\.ai|chat\.qwen\.ai"
    r"|chat\.deepseek\.com|kimi\.(?:com|ai)|grok\.com|x\.ai/grok|chat\.mistral\.ai|lovable\.dev"
    r"|bolt\.new|v0\.dev|replit\.com|jules\.google|ampcode\.com|chat\.z\.ai)(?![\w.])"
)


class _Role(Enum):
    """What a place of a file is for."""

    CODE = auto()
    WORDS = auto()
    COMMENT = auto()
    FIELD = auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class Attributed:
    """What was found in one file."""

    named: int
    """Names in it, masked or not."""
    places: tuple[Place, ...]
    """Those that say who wrote it, in order."""


def attributed(
    scanner: Scanner, path: str, lines: Sequence[str], *, spared: str = ""
) -> Attributed:
    """Find the names of a file, and which of them say who wrote it.

    Args:
        scanner: Knows the names.
        path: The file's path, which says its language.
        lines: What is sent of it.
        spared: The item's own texts, whose words say nothing.
    """
    text = "\n".join(lines)
    found = scanner.words(folded := fold(text)) if text else ()
    hits = names_of(scanner.find(text, spared=spared)) if text else ()
    if not found and not hits:
        return Attributed(named=0, places=())
    file = _File(path=path, lines=lines, text=text, folded=folded)
    names = tuple(scanner.unspared(folded, found, spared=spared))
    masked = _union([*file.by_hits(hits), *file.by_words(names)])
    visible = sum(not within(masked, hit.start, hit.end) for hit in hits)
    return Attributed(named=visible + len(masked), places=tuple(file.places(masked)))


@dataclass(kw_only=True)
class _File:
    """One file that holds names."""

    path: str
    lines: Sequence[str]
    text: str
    folded: Folded
    _starts: list[int] = field(init=False)
    _words: dict[int, list[tuple[int, int, bool]]] = field(init=False, default_factory=dict)
    _keyed: bool = field(init=False)
    _all_words: bool = field(init=False)
    _fields: list[tuple[int, int]] = field(init=False)
    _unknown: bool = field(init=False)

    def __post_init__(self) -> None:
        name = PurePosixPath(self.path).name.lower()
        ending = name.rpartition(".")[2] if "." in name else ""
        self._starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        for one in words_of(self.path, self.lines):
            self._words.setdefault(one.at, []).append((one.first, one.last, one.doc))
        self._keyed = is_manifest(self.path) or ending in _PAGES
        self._all_words = is_prose(self.path) or self._keyed or is_ignore_list(self.path)
        known = signs_of(self.path, self.lines[0] if self.lines else "") is not None
        self._unknown = not known and ending not in _DATA
        self._fields = _union(
            [
                self.folded.back(first, last)
                for first, last in author_fields(self.path, self.folded.text)
                if last > first
            ]
        )

    # -- places ------------------------------------------------------------------------

    def places(self, spans: Sequence[tuple[int, int]]) -> Iterator[Place]:
        """Spans of the text, line by line."""
        for start, end in spans:
            at = self._line(start)
            while start < end:
                stop = min(end, self._starts[at + 1] - 1)
                if stop > start:
                    yield at, start - self._starts[at], stop - self._starts[at]
                at, start = at + 1, self._starts[at + 1]  # noqa: PLW2901 - the rest

    def _line(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def _role(self, start: int, end: int) -> _Role:
        if within(self._fields, start, end):
            return _Role.FIELD
        at = self._line(start)
        first, last = start - self._starts[at], end - self._starts[at]
        if last > len(self.lines[at]):
            return _Role.CODE
        inside = [doc for a, b, doc in self._words.get(at, ()) if a <= first and last <= b]
        if inside:
            return _Role.WORDS if inside[0] else _Role.COMMENT
        like = self._unknown and _COMMENT_LIKE.match(self.lines[at])
        return _Role.WORDS if self._all_words or like else _Role.CODE

    # -- what the scanner is sure of ---------------------------------------------------

    def by_hits(self, hits: Sequence[Hit]) -> Iterator[tuple[int, int]]:
        """Hits of the scanner that say who wrote the file."""
        for hit in hits:
            role = self._role(hit.start, hit.end)
            start, end = self.folded.forth(hit.start, hit.end)
            if role in {_Role.COMMENT, _Role.FIELD} or (
                role is _Role.WORDS and self._tells(hit, start, end)
            ):
                yield hit.start, hit.end

    def _tells(self, hit: Hit, start: int, end: int) -> bool:
        plain = self.folded.text
        if hit.kind == "path" and rules.AGENT_FILES.fullmatch(plain, start, end):
            return True
        # On a line of data or markup, all that follows an author's key looks like a trailer.
        if hit.kind not in _SIGNED or (self._keyed and hit.kind == "trailer"):
            return False
        return not (self._is_matter(start, end, start) or self._is_listed(start))

    def _is_listed(self, start: int) -> bool:
        """Whether a name is an item of a list, as of supported models; a last line signs."""
        at = self._line(self.folded.back(start, start + 1)[0])
        if not _BULLET.match(self.lines[at]):
            return False
        last = not any(line.strip() for line in self.lines[at + 1 :])
        return self._keyed or not last or _BULLET.match(self.lines[max(0, at - 1)]) is not None

    def _is_matter(self, start: int, end: int, phrase: int) -> bool:
        """Whether the program's work is spoken of, not who wrote it."""
        plain = self.folded.text
        if _MATTER_AFTER.match(plain, end) or _CALLED.search(plain, start, end):
            return True
        return _MATTER_BEFORE.search(plain, max(0, phrase - _WINDOW), phrase) is not None

    # -- what the words around a name say ----------------------------------------------

    def by_words(self, names: Sequence[Named]) -> Iterator[tuple[int, int]]:
        """Known names that a field or the words around them call the author."""
        last = -1
        for one in names:
            start, end = self.folded.back(one.start, one.end)
            role = self._role(start, end)
            if role is _Role.CODE:
                continue
            if role is _Role.FIELD or (role is _Role.COMMENT and self._is_alone(start, end, one)):
                yield self._widened(start, end)
            elif self._is_author(one) or self._is_chained(last, one):
                yield self._widened(start, end)
                last = one.end
            elif self._is_assistant_address(start, end):
                yield self._widened(start, end)

    def _is_author(self, one: Named) -> bool:
        plain = self.folded.text
        if _AFTER.match(plain, one.end) and self._is_name(one):
            return not self._is_surname(one)
        if _ASKED_AFTER.match(plain, one.end) and self._is_name(one):
            return _ASKED_BEFORE.search(plain, max(0, one.start - _WINDOW), one.start) is not None
        before = _BEFORE.search(plain, max(0, one.start - _WINDOW), one.start)
        if before is None or self._is_surname(one):
            return False
        if (before["done"] or before["abroad"]) and self._is_matter(
            one.start, one.end, before.start()
        ):
            return False
        return self._is_name(one) and _FREE_END.match(plain, one.end) is not None

    def _is_alone(self, start: int, end: int, one: Named) -> bool:
        """Whether a comment is a name and no more, or opens with one as a speaker."""
        at = self._line(start)
        first, last = start - self._starts[at], end - self._starts[at]
        spans = [(a, b) for a, b, doc in self._words.get(at, ()) if not doc and a <= first]
        a, b = spans[-1] if spans else (first, last)
        line = self.lines[at]
        before, after = line[a:first].strip(_SIGNS), line[last:b]
        return not before and self._is_name(one) and not after.split(":")[0].strip(_SIGNS)

    def _is_name(self, one: Named) -> bool:
        """Whether a word that is a name now and then is written as one here."""
        start, _ = self.folded.back(one.start, one.end)
        return one.weight is not Weight.RARELY or self.text[start : start + 1].isupper()

    def _is_surname(self, one: Named) -> bool:
        at = self.folded.back(one.start, one.end)[1]
        follows = rules.SURNAME.match(self.text, at)
        return follows is not None and rules.NOT_SURNAME.match(self.text, at) is None

    def _is_chained(self, last: int, one: Named) -> bool:
        """Whether a name follows one that was called the author, in the same breath."""
        if last < 0 or one.start - last > _WINDOW:
            return False
        if _MATTER_AFTER.match(self.folded.text, one.end) or not self._is_name(one):
            return False
        return _CHAIN.match(self.folded.text[last : one.start]) is not None

    def _is_assistant_address(self, start: int, end: int) -> bool:
        address = self._address(start, end)
        if address is None:
            return False
        words = address.group().lower()
        return "noreply" in words or _ASSISTANT_HOST.match(words) is not None

    def _widened(self, start: int, end: int) -> tuple[int, int]:
        """A name with the whole of the address that it is part of."""
        address = self._address(start, end)
        return address.span() if address else (start, end)

    def _address(self, start: int, end: int) -> re.Match[str] | None:
        at = self._line(start)
        first, last = self._starts[at], self._starts[at + 1] - 1
        found = _ADDRESS.finditer(self.text, max(first, start - 300), min(last, end + 300))
        return next((one for one in found if one.start() <= start and end <= one.end()), None)


def _union(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, overlapping or touching ones made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = out[-1][0], max(end, out[-1][1])
        else:
            out.append((start, end))
    return out
