"""Lines in which a writer names himself: letter heads, speakers' labels, signatures.

Each form is what stands before a name and what stands after it. Texts are folded, and
every form is bounded to the line that the name stands in and the one above.
"""

import re
from functools import lru_cache

from judgebench.blind.fold import fold
from judgebench.records import dataclass

_REACH = 140
_OPENING_REACH = 12
_TURN = 4000
_B = r"[^\S\n]"
_LEAD = rf"(?:^|\n){_B}{{0,4}}[*_>#\"'(-]{{0,4}}{_B}{{0,2}}"
_EMPHASIS = r"[*_\"']{0,3}"
_DASH = "-~*_"
_BULLET = re.compile(rf"{_B}{{0,4}}([-*]){_B}")


def _any(*phrases: str) -> str:
    parts = (re.escape(fold(phrase).text) for phrase in phrases)
    return "(?:" + "|".join(sorted(parts, key=len, reverse=True)) + ")"


def _any_of(phrases: str) -> str:
    """Any of the phrases of a list, each after the other with a semicolon between."""
    return _any(*(" ".join(phrase.split()) for phrase in phrases.split(";")))


_CLOSING = _any_of("""
    yours; yours truly; yours sincerely; yours faithfully; sincerely; sincerely yours; best;
    best regards; best wishes; kind regards; kindest regards; warm regards; warmest regards;
    regards; all the best; take care; warmly; respectfully; kindly; respectfully submitted;
    cheers; love; with love; hugs; signed; your friend; your assistant; your ai assistant;
    your ai; your friendly assistant; dein assistent; ihr assistent; votre assistant;
    tu asistente; su asistente; seu assistente; il tuo assistente;
    mit freundlichen grüßen; viele grüße; liebe grüße; beste grüße; herzliche grüße;
    cordialement; bien cordialement; bien à vous; amicalement; saludos; saludos cordiales;
    un saludo; un abrazo; atentamente; atenciosamente; abraços; cordiali saluti;
    distinti saluti; met vriendelijke groet; groeten; pozdrawiam; с уважением;
    bis bald; à bientôt; hasta pronto; até logo; a presto; un saluto; un caro saluto;
    vänliga hälsningar; saygılarımla; trân trọng; с наилучшими пожеланиями; с любовью;
    med vänlig hälsning; med venlig hilsen; vennlig hilsen; 此致; 敬具; よろしくお願いします。
""")
_FROM = _any_of("""
    from; sender; von; absender; de; da; van; från; fra; od; от; mittente; expéditeur;
    remitente; remetente; 发件人; 寄件人; 差出人; 보낸 사람;
    autor; auteur; autore; автор; 作者; 著者; verfasser; verfasst von; rédacteur; redactor;
    redattore; redator; schrijver; skribent; författare; forfatter; yazar; tác giả; penulis;
    作成者; 執筆者; 撰写者; 回答者; 작성자; 글쓴이; الكاتب; लेखक
""")
_TEXT = r"(?:message|answer|reply|e?-?mail|note|response|text|report|summary|review)"
_LINE_END = rf"[.*_\"')]{{0,3}}{_B}{{0,4}}(?:\n|$)"
_ROLE = (
    rf"(?:,{_B}{{1,2}}|{_B}{{0,2}}\()(?:(?:an?|the|your){_B}{{1,2}})?"
    rf"(?:(?:ai|large|language){_B}{{1,2}}){{0,3}}(?:ai|llm|assistant|model|chatbot|▢{{1,9}})\)?"
)
_SIGNED = re.compile(rf"{_EMPHASIS}(?:{_ROLE})?{_LINE_END}")
_DRAWN = rf"(?:{_B}{{0,2}}[^\w\s!-~]{{1,3}})?"
_SIGNER = re.compile(rf"[*_\])\"']{{0,3}}(?:{_ROLE})?[*_.]{{0,2}}{_DRAWN}{_B}{{0,4}}(?:\n|$)")
_CLOSED = re.compile(
    rf"{_LEAD}{_CLOSING}[,.!]?[*_]{{0,2}}(?:{_B}{{0,3}}\n\s{{0,8}}[-~*_\[(\"']{{0,3}}|{_B}{{1,2}}-{{1,2}}){_B}{{0,1}}\Z"
    # In the middle of a line these words close a letter less surely.
    r"|(?:regards|wishes|cheers|sincerely|yours|truly|thanks|love|grusse[n]?|saludos|"
    r"cordialement|attentamente|abracos|groet|pozdrawiam)[,.!]?\s{0,3}\n\s{0,8}[-*_]{0,2}\Z"
)
_CLOSED_AT_ONCE = re.compile(
    rf"(?:(?:^|\n){_B}{{0,4}}|[.!?]{_B}{{1,3}}){_CLOSING},{_B}{{1,3}}[*_]{{0,3}}\Z"
)
_DASHED = re.compile(
    rf"(?:^|\n){_B}{{0,4}}[-~*_]{{1,3}}{_B}{{0,4}}[*_]{{0,3}}\Z|(?:^|\n)--{_B}?\n\Z"
)
_DASHED_AT_ONCE = re.compile(rf"[.!?][)*_]{{0,3}}{_B}{{1,3}}-{{1,2}}{_B}?[*_]{{0,3}}\Z")
_TEXT_ENDS = re.compile(r"[*_.]{0,3}\s*\Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Form:
    before: re.Pattern[str]
    after: re.Pattern[str]


_AI = (
    rf"(?:a\.?i\.?|llm|chatbot|(?:ai{_B})?assistant|(?:language|ai|chat){_B}model"
    rf"|assistent|asistente)"
)
_HEAD = (
    rf"{_LEAD}{_FROM}{_EMPHASIS}{_B}{{0,2}}:{_EMPHASIS}{_B}{{0,4}}{_EMPHASIS}",
    rf"{_EMPHASIS}{_B}{{0,3}}(?:$|\n|<|\()",
)
_SENT = (
    (
        rf"{_LEAD}(?:(?:this|the){_B}{_TEXT}{_B}(?:is|was|has{_B}been){_B})?"
        rf"(?:sent|posted|submitted|compiled|transmitted|delivered|signed|brought{_B}to{_B}you)"
        rf"{_B}(?:to{_B}you{_B})?by{_B}{_EMPHASIS}"
    ),
    rf"{_EMPHASIS}(?:{_ROLE})?{_LINE_END}",
)
_TITLE = (
    rf"{_LEAD}(?:the{_B})?(?:answer|reply|response|report|summary|review){_B}(?:from|by){_B}{_EMPHASIS}",
    rf"{_EMPHASIS}:?{_EMPHASIS}{_B}{{0,2}}(?:\n|$)",
)  # fmt: skip
_AI_CALLED = (
    (
        rf"(?<!\w)(?:i{_B}am|i'm|as|being|this{_B}is|ich{_B}bin|je{_B}suis|soy|sono|sou)"
        rf"{_B}(?:just{_B})?(?:an?|the|your|der|ein|eine|une?|uma?|il|el|o|l'){_B}?"
        rf"(?:[\w-]{{1,16}}{_B}){{0,3}}?{_AI}(?:{_B}(?:assistant|model))?{_B}?"
        rf"(?:(?:called|named|known{_B}as|by{_B}the{_B}name{_B}of|namens|nomme|llamado|chamado"
        rf"|chiamato){_B})?[(\"'*_]{{0,3}}"
    ),
    rf"[\"'*_]{{0,3}}{_B}{{0,2}}(?:$|[\n.,:;!?)-]|(?:and|from|by|made|built|here)(?!\w))",
)
_YOUR_AI = (
    rf"(?<!\w)your{_B}(?:[\w-]{{1,16}}{_B}){{0,2}}(?:ai|assistant|chatbot),?{_B}{_EMPHASIS}",
    _LINE_END,
)
_OTHERS = (
    (rf"(?<!\w)(?:i|me){_B}\({_EMPHASIS}", rf"{_EMPHASIS}\)"),
    (rf"<!--{_B}{{0,4}}", rf"{_B}{{0,4}}-->"),
    (
        rf"(?:^|\n|[.!?]{_B}{{1,3}})(?:hier|aqui|qui){_B}{{1,2}}{_EMPHASIS}",
        rf"{_EMPHASIS}{_B}?(?:$|[\n.!:])",
    ),
    (rf"(?<!\w)mich{_B}{{1,2}}{_EMPHASIS}", rf"{_EMPHASIS}{_B}{{1,2}}nennen(?!\w)"),
    (rf"{_any('मैं')}{_B}{{1,2}}", rf"{_B}{{1,2}}{_any('हूँ', 'हूं')}"),
)
_LETTER_HEAD, *_FORMS = (
    _Form(before=re.compile(before + r"\Z"), after=re.compile(after))
    for before, after in (_HEAD, _SENT, _TITLE, _AI_CALLED, _YOUR_AI, *_OTHERS)
)

_REPORTER = _any_of("""
    author; by; prepared by; written by; compiled by; drafted by; generated by; created by;
    analyst; assessor; evaluator; reviewer; consultant; rapporteur; gutachter; prüfer;
    elaborado por; preparado por; redactado por; preparato da; redatto da; opgesteld door;
    préparé par; établi par; sporządził; przygotował; подготовил; составил; 编写; 撰写; 作成
""")
_REPLY = _any_of("""
    antwort; bericht; réponse; rapport; respuesta; informe; risposta; rapporto; resposta;
    relatório; antwoord; odpowiedź; raport; ответ; отчёт; svar
""")
_STEMS = _any_of("stammt; kommt; ist; vient; est; provient; es; viene; proviene; è; é; vem; komt")
_OF = _any_of("von; de; di; da; do; van; från; fra; od; от")
_YOUR = _any_of("""
    your; dein; deine; euer; eure; ihr; ihre; votre; ton; tu; vuestro; tuo; vostro; seu; teu;
    jouw; twój; твой; ваш; din
""")
# What is told of a name that is more than a common word.
_KEY = (
    rf"(?:author|(?:written|generated|created|prepared|drafted|answered|produced){_B}by|assistant"
    rf"|llm|(?:ai|language){_B}model|(?:model|ai|llm|assistant){_B}(?:used|name)|answerer)"
)
_CELL = rf"(?:^|\n){_B}{{0,4}}\|{_B}{{0,8}}[*_]{{0,2}}"
_CELL_ENDS = rf":?[*_]{{0,2}}:?{_B}{{0,20}}\|{_B}{{0,8}}[*_`]{{0,3}}"
_LAST_CELL = rf"[*_`]{{0,3}}{_B}{{0,40}}\|?{_B}{{0,4}}(?:\n|$)"
_HEADS_TABLE = rf"(?!{_B}{{0,4}}\|?{_B}{{0,4}}:?-)"
_SIGNS = r"(?:/{2,3}|/\*{1,2}|--|%|;{1,3}|#{1,6}|<!--|[*_\"'(-]{1,4})?"
_SIGNS_END = rf"[*_\"')]{{0,4}}{_B}{{0,4}}(?:\*/|-->)?{_B}{{0,4}}(?:\n|$)"
_ANSWER = r"(?:answer|reply|response|text|report|summary)"
_LIKELY_FORMS = tuple(
    _Form(before=re.compile(before + r"\Z"), after=re.compile(after))
    for before, after in (
        (rf"{_CELL}{_KEY}{_CELL_ENDS}", _LAST_CELL),
        (rf"{_CELL}model{_CELL_ENDS}", rf"{_LAST_CELL}{_HEADS_TABLE}"),
        (
            rf"(?:^|\n){_B}{{0,4}}{_SIGNS}{_B}{{0,2}}(?:by|von|par|por|door){_B}{{1,2}}{_EMPHASIS}",
            rf"(?:{_ROLE})?{_SIGNS_END}",
        ),
        (
            (
                rf"(?:©|\(c\)|(?<!\w)copyright)(?:{_B}{{0,2}}(?:©|\(c\)))?{_B}{{0,2}}"
                rf"(?:(?:19|20)\d\d(?:-(?:19|20)?\d\d)?,?{_B})?(?:by{_B})?"
            ),
            rf"[.,]?(?:{_B}all{_B}rights{_B}reserved\.?)?{_SIGNS_END}",
        ),
        (
            rf"(?:^|[\n.!?])\s{{0,3}}it(?:{_B}(?:was|is)|'s){_B}{_EMPHASIS}",
            (
                rf"{_EMPHASIS},?{_B}(?:who|that|which){_B}(?:has{_B})?(?:wrote|written|answered|generated"
                rf"|created|prepared|drafted|composed){_B}(?:this(?:{_B}{_ANSWER})?|(?:the|your){_B}{_ANSWER}"
                rf"(?:{_B}above)?)[*_]{{0,3}}{_B}?(?:[.!]|\n|$)"
            ),
        ),
        (r"\"role\"\s?:\s?\"(?:assistant|model)\",\s{0,12}\"name\"\s?:\s?\"", r"\""),
        (r"\"name\"\s?:\s?\"", r"\",\s{0,12}\"role\"\s?:\s?\"(?:assistant|model)\""),
        (rf"\U0001f916{_B}{{0,2}}[*_]{{0,3}}", rf"[*_]{{0,3}}{_B}{{0,2}}(?:$|[\n:.!,])"),
        (
            rf"(?:^|\n)[*_>#]{{0,4}}{_B}{{0,2}}(?:assistant|ai|bot|chatbot|model|llm){_B}{{0,2}}[(\[/-]{_B}?",
            rf"{_B}?[)\]]?[*_]{{0,2}}:",
        ),
        (
            rf"{_LEAD}{_REPORTER}{_EMPHASIS}{_B}{{0,2}}:{_EMPHASIS}{_B}{{0,4}}{_EMPHASIS}",
            rf"{_EMPHASIS}(?:{_ROLE})?[*_]{{0,3}}{_B}{{0,3}}(?:$|\n|<|\()",
        ),
        (
            (
                rf"(?:{_LEAD}|(?<!\w)(?:diese[rs]?|cette|ce|est[ae]|quest[ao]|deze|dit|ta|ten|den|det)"
                rf"{_B}){_REPLY}{_B}(?:{_STEMS}{_B})?{_OF}{_B}{_EMPHASIS}"
            ),
            rf"{_EMPHASIS}:?{_LINE_END}",
        ),
        (
            rf"(?<!\w)this{_B}is{_B}(?:an?|the){_B}(?:ai{_B})?(?:answer|reply|response|report|summary|review){_B}(?:from|by){_B}",
            rf"[*_]{{0,3}}(?:[.!,:;]|{_B}?$|{_B}?\n)",
        ),
        (rf"由{_B}?", rf"{_B}?(?:生成|撰写|撰寫|编写|編寫|提供|创作|創作|回答)"),
        ("", rf"{_B}?(?:(?:が|により)(?:作成|生成|執筆|回答)|(?:가|이){_B}?(?:작성|생성))"),
        (rf"(?:^|\n){_B}{{0,4}}", rf"{_B}{{0,2}}\U0001f916{_B}{{0,4}}(?:\n|$)"),
        (rf"\n{_B}{{0,4}}(?:-{_B}?)?{_YOUR}{_B}[*_]{{0,3}}", _TEXT_ENDS.pattern),
        (
            rf"<(author|writer|assistant|creator)>{_B}?",
            rf"{_B}?</(?:author|writer|assistant|creator)>",
        ),
        (rf"(?:^|\n)<(?:i|em|small|b|strong)>-?{_B}?", r"</(?:i|em|small|b|strong)>\s*\Z"),
        (
            (
                rf"(?:hope{_B}(?:this|that|it){_B}helps|happy{_B}to{_B}help|good{_B}luck|best{_B}of{_B}luck"
                rf"|thanks?(?:{_B}you)?(?:{_B}for{_B}[\w ]{{1,30}})?|xoxo|until{_B}next{_B}time"
                rf"|talk{_B}soon|stay{_B}safe|(?:many|with){_B}thanks|merci|danke|gracias|grazie|obrigad[oa]"
                rf"|bedankt|{fold('спасибо').text})[.,!]{{0,2}}{_B}{{0,4}}\n\s{{0,4}}[*_]{{0,3}}"
            ),
            r"[*_]{0,3}[.!]?\s*\Z",
        ),
    )
)

# What a label alone does not say, as "Gemini: 21 May to 20 June", how it goes on does.
_LABEL = re.compile(
    rf"{_EMPHASIS}(?:'s{_B}(?:answer|response|reply|solution|output|version){_EMPHASIS}:?"
    rf"{_EMPHASIS}{_B}?(?:\n|$)|{_B}said:?{_B}?\n|(?:\]:?|:){_EMPHASIS}\s{{1,3}}"
    r"(?:i|i'm|i'll|i'd|i've|hello|hi|hey|sure|certainly|absolutely|of course|here"
    r"|here's|let|let's|my|thanks?|great|okay|ok)(?!\w))"
)  # fmt: skip
# After a name that is hardly ever spoken about, plain words are spoken too.
_SPOKEN = re.compile(rf"{_EMPHASIS}(?:\]:?|:){_EMPHASIS}\s{{1,3}}(?=[^\s\d])(?!an?(?!\w))")
_USER = re.compile(rf"(?:^|\n){_B}{{0,4}}[*_>\[]{{0,4}}(?:user|human|prompt|you){_EMPHASIS}\]?:")
_OPENING = re.compile(r"\s{0,4}[*_>#\"'\[]{0,4}[^\S\n]{0,2}\Z")
_SPEAKERS = re.compile(
    r"\n[*_>\[ ]{0,4}(?!user|human|you|note|answer|question)[a-z][\w.' -]{1,24}"
    r"[*_\]]{0,3}:[*_]{0,3}\s"
)


# "Claude> Hello": a prompt of a chat, as a label is.
_PROMPT = re.compile(rf"[*_`]{{0,3}}>{_EMPHASIS}(?:{_B}{{1,2}}|\n)(?=[^\s>=])")
_ASKER = re.compile(
    rf"(?:^|\n){_B}{{0,4}}[*_`]{{0,3}}(?:user|human|prompt|you|me)[*_`]{{0,3}}>{_B}"
)
_PROMPTED = re.compile(
    rf"\n{_B}{{0,4}}[*_`]{{0,3}}(?!(?:user|human|you|me)[*_`]{{0,3}}>)[a-z][\w.'-]{{1,24}}[*_`]{{0,3}}>{_B}"
)
# A last line that is a name and no more, under a text that has ended. Names that are words
# too may be the answer itself, which many prompts want alone on the last line.
_ENDED = re.compile(
    rf"(?:\w[.!][)*_]{{0,3}}|[。！]|```){_B}{{0,4}}\n(?:{_B}{{0,4}}(?:-{{3,5}}{_B}{{0,4}})?\n){{1,3}}{_B}{{0,4}}\Z"
)
_BARE_ENDS = re.compile(r"[.!]?\s*\Z")
_GIVEN_NAMES = frozenset({"claude"})
_SENTENCE = re.compile(r"\w[.!](?=\s)|[。！]")
_LEAST_SENTENCES = 3
_ANNOUNCES = re.compile(
    r"\b(?:answer|name|called|named|who|this|these|below|following)\b[^.!\n]{0,40}[.!]?\s*\Z"
)
_LETTER = re.compile(
    r"\s*(?:dear|hi|hello|hey|subject|betreff|sehr geehrte|liebe[rs]?|cher|chère|estimad[oa])\b"
)


def signs(text: str, start: int, end: int, *, likely: bool, certain: bool) -> bool:
    """Whether the lines around a name make it the writer's.

    Args:
        text: The folded text.
        start: Where the name starts.
        end: Where it ends.
        likely: The name is no common word first of all.
        certain: The name is hardly ever what a text is about.
    """
    before = text[max(0, start - _REACH) : start]
    if _is_signature(text, before, start, end) or _labels(text, start, end, certain=certain):
        return True
    if likely and (_prompts(text, start, end) or _signs_bare(text, before, start, end)):
        return True
    return _is_formed(before, text[end : end + _REACH], likely=likely)


def heads(text: str, start: int, end: int) -> bool:
    """Whether a name stands in the head of a letter, as its sender."""
    return _stands_in(_LETTER_HEAD, text[max(0, start - _REACH) : start], text[end : end + _REACH])


# A text of one name a line has the same surroundings over and over.
@lru_cache(maxsize=256)
def _is_formed(before: str, after: str, *, likely: bool) -> bool:
    """Whether one of the forms stands around a name."""
    forms = (*_FORMS, *_LIKELY_FORMS) if likely else _FORMS
    return any(_stands_in(form, before, after) for form in forms)


def _stands_in(form: _Form, before: str, after: str) -> bool:
    return form.after.match(after) is not None and form.before.search(before) is not None


def _is_signature(text: str, before: str, start: int, end: int) -> bool:
    """Whether a name signs what stands above it."""
    if _SIGNER.match(text, end):
        if _CLOSED.search(before) or _CLOSED_AT_ONCE.search(before):
            return True
        if _DASHED.search(before) and before.strip(" \n")[-1:] in _DASH:
            # What stands alone, or in a list, signs nothing.
            return before.strip(" \n-~*_") != "" and not _is_listed(text, start, end)
    return _TEXT_ENDS.match(text, end) is not None and _DASHED_AT_ONCE.search(before) is not None


def _is_listed(text: str, start: int, end: int) -> bool:
    """Whether a name is an item among others of a list."""
    first = text.rfind("\n", 0, start) + 1
    bullet = _BULLET.match(text, first)
    if bullet is None:
        return False
    above = text[max(0, text.rfind("\n", 0, max(0, first - 1)) + 1) : first]
    follows = text.find("\n", end) + 1
    beside = (_BULLET.match(above), _BULLET.match(text, follows) if follows else None)
    return any(other is not None and other[1] == bullet[1] for other in beside)


def _labels(text: str, start: int, end: int, *, certain: bool) -> bool:
    """Whether a name is a speaker's label: of the whole text, or of an answer to a user."""
    label = _LABEL.match(text, end) or (_SPOKEN.match(text, end) if certain else None)
    if label is None:
        return False
    if start <= _OPENING_REACH and _OPENING.fullmatch(text, 0, start):
        return _SPEAKERS.search(text) is None
    line = text.rfind("\n", 0, start) + 1
    opens_line = start - line <= _OPENING_REACH and _OPENING.fullmatch(text, line, start)
    return bool(opens_line) and _USER.search(text, max(0, start - _TURN), start) is not None


def _prompts(text: str, start: int, end: int) -> bool:
    """Whether a name is the prompt before a chat's answer: alone, or after the asker's."""
    if _PROMPT.match(text, end) is None:
        return False
    line = text.rfind("\n", 0, start) + 1
    if start - line > _OPENING_REACH or text[line:start].strip(" *_`"):
        return False
    if _ASKER.search(text, max(0, line - _TURN), line) is not None:
        return True
    return not text[:line].strip() and _PROMPTED.search(text, end) is None


def _signs_bare(text: str, before: str, start: int, end: int) -> bool:
    """Whether a last line that is a name alone signs the text, which tells of nobody so called."""
    name = text[start:end]
    if name.lower() not in _GIVEN_NAMES or _BARE_ENDS.match(text, end) is None:
        return False
    if _ENDED.search(before) is None or _LETTER.match(text) is not None:
        return False
    if _ANNOUNCES.search(before.rstrip()) or len(_SENTENCE.findall(before)) < _LEAST_SENTENCES:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text[:start]) is None
