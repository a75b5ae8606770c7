"""Whether a failure's own words stand in the place of an answer, by what was asked.

A gateway's error page under a finish reason of "stop" is no answer, and so it must not
be scored. A prompt may ask for such a page, though: where it does, the text is believed to
be an answer; where item and evidence are silent, the form alone decides; between the
two a person does.
"""

import re

from judgebench.model import Failure, Item, Output, Run
from judgebench.runs.finish import Ending, ending
from judgebench.runs.unanswered import Form, Instead, instead

_ERROR = (
    r"errors?(?!\w)|erreurs?(?!\w)|errore|erro(?!\w)|fehler|fejl|błąd|błęd|ошибк|错误|錯誤|エラー|오류"
    r"|에러|(?<!\w)hata|lỗi|خطأ"
)
_CODE = r"(?<![\d.,])[45]\d\d(?![\d.,])"
_NEAR = re.compile(
    rf"{_ERROR}|exception|traceback|fail(?:s|ed|ure|ures)?(?!\w)|outage|nginx|gateway|server|status|html|json|xml"
    r"|(?<!\w)https?(?!://|\w)|(?<!\w)(?:rest|web|api|apis)(?!\w)|web\s?(?:site|page|server)"
    rf"|{_CODE}(?!\s*(?:words|wörter|mots|palabras|parole|characters|tokens))",
    re.IGNORECASE,
)
"""What may explain an error message, and no more than may."""
_ASKS = {
    Form.ERROR: re.compile(
        rf"(?:{_ERROR})[\s:-]{{0,3}}(?:page|message|response|repl|object|body|json|html|code|text|seite"
        rf"|meldung|antwort|{_CODE})|(?:page|message|mensaje|messaggio|mensagem)\s(?:d'|de\s|di\s)?err"
        rf"|(?:http|status)\s?(?:code|line|error|{_CODE})|{_CODE}\s?-?(?:page|error|status|response|seite)"
        r"|(?:错误|錯誤|エラー|오류|에러)\s?(?:页|頁|信息|訊息|ページ|メッセージ|메시지|페이지)"
        r"|exception|traceback|stack\s?trace",
        re.IGNORECASE,
    ),
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
        item: Its item, whose prompt and evidence may ask for such a text.
        run: The run; where it has no prompts, nothing is known of what was asked.
    """
    found = _found(output)
    if found is None or found.failure is None:
        return None
    if not run.has_prompt or not item.prompt.strip():
        return None
    explained = any(_speaks_of(words, item) for words in (_NEAR, _ASKS[found.form]))
    return None if explained else found.failure


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


def _speaks_of(words: re.Pattern[str], item: Item) -> bool:
    texts = (item.prompt, *(piece.text for piece in item.evidence))
    return any(words.search(text) for text in texts)
