"""Whether a failure's own words stand in the place of an answer, by what was asked.

A gateway's error page under a finish reason of "stop" is no answer, and so it must not
be scored. A prompt may ask for such a page, though: where it does, the text is believed to
be an answer; where item and evidence are silent, the form alone decides; between the
two a person does.
"""

import re

from judgebench.model.collected import Failure, Item, Output, Run
from judgebench.runs.finish import Ending, ending
from judgebench.runs.unanswered import Form, Instead, instead

_BEGINNING = 40
_ERROR = (
    r"errors?(?!\w)|erreurs?(?!\w)|errore|erro(?!\w)|fehler|fejl|błąd|błęd|ошибк|错误|錯誤|エラー|오류"
    r"|에러|(?<!\w)hata|lỗi|خطأ"
)
_CODE = r"(?<![\d.,])[45]\d\d(?![\d.,])"
_NUMBER = rf"{_CODE}(?!\s*(?:words|wörter|mots|palabras|parole|characters|tokens))"
# A file named in a prompt, such as scan.json, asks for nothing of its form.
_WEB = (
    r"(?<![\w.])(?:html|css)|(?<!\w)https?(?!://|\w)|(?<!\w)web|(?<!\w)sites?(?!\w)|browser|nginx"
    r"|(?:landing|home|error|status)\s?page|seite(?!\w)|página|pagina|страниц|页面|頁面|网页|ページ|페이지"
)
_API = r"(?<![\w.])(?:json|yaml|xml)|(?<!\w)apis?(?!\w)|schema|(?<!\w)objects?(?!\w)"
_TROUBLE = (
    r"exception|traceback|fail(?:s|ed|ure|ures)?(?!\w)|outage|gateway|server|status"
    r"|(?<!\w)logs?(?!\w)"
)
_NEAR = {
    Form.PAGE: re.compile(f"{_ERROR}|{_WEB}|{_NUMBER}", re.IGNORECASE),
    Form.OBJECT: re.compile(f"{_ERROR}|{_API}|{_NUMBER}", re.IGNORECASE),
    Form.MESSAGE: re.compile(f"{_ERROR}|{_TROUBLE}|{_WEB}|{_API}|{_NUMBER}", re.IGNORECASE),
}
"""What in a prompt may explain a report of a failure, and no more than may."""
_ASKS_ERROR = re.compile(
    rf"(?:{_ERROR})[\s:-]{{0,3}}(?:page|message|response|repl|object|body|json|html|code|text|seite"
    rf"|meldung|antwort|{_CODE})|(?:page|message|mensaje|messaggio|mensagem)\s(?:d'|de\s|di\s)?err"
    rf"|(?:http|status)\s?(?:code|line|error|{_CODE})|{_CODE}\s?-?(?:page|error|status|response|seite)"
    r"|(?:错误|錯誤|エラー|오류|에러)\s?(?:页|頁|信息|訊息|ページ|メッセージ|메시지|페이지)"
    r"|exception|traceback|stack\s?trace",
    re.IGNORECASE,
)
_ASKS = {
    Form.PAGE: _ASKS_ERROR,
    Form.OBJECT: _ASKS_ERROR,
    Form.MESSAGE: _ASKS_ERROR,
    Form.REPLY: re.compile(
        r"(?<!\w)apis?(?!\w)|completion|(?<!\w)chat|stream|server-sent|(?<!\w)sse(?!\w)|content\s(?:block"
        r"|part)|(?<!\w)type(?!\w)|(?:raw|model|llm|provider|mock)[ -](?:repl|response)",
        re.IGNORECASE,
    ),
    Form.REASONING: re.compile(r"</?(?:think|thinking|reasoning)>", re.IGNORECASE),
    Form.CALL: re.compile(r"tool|function", re.IGNORECASE),
}
"""What asks for a text of each form."""


def reported(output: Output, item: Item, run: Run) -> Failure | None:
    """The failure that a text reports and is, where nothing that was asked explains it.

    Args:
        output: One output.
        item: Its item: its prompt may ask for such a text, its evidence may hold it.
        run: The run; where it has no prompts, nothing is known of what was asked.
    """
    found = _found(output)
    if found is None or found.failure is None:
        return None
    asked = item.prompt
    if not run.has_prompt or not asked.strip():
        return None
    if _NEAR[found.form].search(asked) or _ASKS[found.form].search(asked):
        return None
    return None if _is_quoted(output, item) else found.failure


def suspicion(output: Output, item: Item, run: Run) -> str | None:
    """What a text seems to be in place of an answer, where that is not certain.

    Of a model that is known to have stopped by itself, what the prompt asks for is an
    answer; without a finish reason it is suspected all the same.
    """
    ended = ending(output.record.finish_reason)
    if ended not in {Ending.COMPLETE, Ending.UNKNOWN}:
        return None
    found = _found(output)
    if found is None or reported(output, item, run) is not None:
        return None
    asked = ended is Ending.COMPLETE and _ASKS[found.form].search(item.prompt)
    return None if asked else found.sign


def _found(output: Output) -> Instead | None:
    return instead((output.text or "").strip()) if output.project is None else None


def _is_quoted(output: Output, item: Item) -> bool:
    """Whether the beginning of a text stands in the material that was supplied."""
    begins = " ".join((output.text or "").split())[:_BEGINNING]
    return any(begins in " ".join(piece.text.split()) for piece in item.evidence)
