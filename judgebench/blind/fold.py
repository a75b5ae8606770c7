"""One plain spelling of a text, with the way back to where each character stood.

Disguises are undone here: invisible characters are dropped, look-alike letters
of other scripts and full-width forms become ASCII, accents and case go. Every
character becomes one character or none, so that places map back exactly.
"""

import re
import unicodedata
from bisect import bisect_left

from judgebench.records import dataclass

# Letters of other scripts that are drawn like Latin ones.
_CONFUSABLE = (
    "аaвbсcԁdеeҽeɡgнhһhіiїiјjкkмmоoрpԛqѕsтtυuцuѵvԝwхxуyүyгrɑaαaβbεeηnιiκkνvοoρpτtχxωwγy"
    "ӏlіiⅼlǀl∣lոnսuօoհhցgզqԍgҮyℓlıi"
    "АaВbСcЕeНhІiЇiЈjКkМmОoРpЅsТtХxУyҮyԚqԜwΑaΒbΕeΖzΗhΙiΚkΜmΝnΟoΡpΤtΥyΧxӀl"
)
_CONFUSABLE += (
    "ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᎫjᏦkᏞlᎷmᏢpᏒrᏚsᎢtᏙvᎳwᏃzꓐbꓑpꓓdꓔtꓖgꓗkꓙjꓚcꓜzꓝfꓟmꓠnꓡlꓢsꓣrꓦvꓧhꓪwꓫxꓬyꓮaꓰeꓲiꓳoꓴu"
)
# Letters in black circles and boxes.
_CONFUSABLE += "".join(
    chr(first + place) + letter
    for first in (0x1F150, 0x1F170)
    for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
)
_CONFUSABLE += "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz"
# Letters with a stroke or a hook have no decomposition.
_STROKED = "ßsøoØołlŁlđdĐdħhŧtƒfæaœoŋnþtðd’'‘'ʼ'＇'´'‐-‑-‒-–-—-―-−-﹣-·.•."
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u0300-\u036f\u20d0-\u20f0"
    "\U000e0000-\U000e0fff]+"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Folded:
    """A folded text; `places` is None where every character kept its place."""

    text: str
    places: tuple[int, ...] | None = None

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Where the non-empty span `start` to `end` stands in the text before folding."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1

    def forth(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the text before folding stands in the folded one."""
        if self.places is None:
            return start, end
        return bisect_left(self.places, start), bisect_left(self.places, end)


# Latin, phonetic, Greek and Cyrillic with accents, enclosed and mathematical letters.
_DECOMPOSED = (
    range(0xA0, 0x590),
    range(0x1E00, 0x2000),
    range(0x2000, 0x2070),
    range(0x2100, 0x2150),
    range(0x24B6, 0x24EA),
    range(0xFF01, 0xFF5F),
    range(0x1D400, 0x1D800),
    range(0x1F110, 0x1F14A),
)
_DRAWN_LIKE = {
    sign: plain
    for pairs in (_CONFUSABLE, _STROKED)
    for sign, plain in zip(pairs[::2], pairs[1::2], strict=True)
}


class _Plain(dict[int, str]):
    """Each character that was met, and the plain one for it."""

    def __missing__(self, code: int) -> str:
        plain = self[code] = _plain(chr(code))
        return plain


def _plain(sign: str) -> str:
    """The plain character for one that is not ASCII; itself where there is none."""
    once = _once(sign)
    if once is None:
        small = sign.lower()
        if len(small) != 1 or ord(sign) >= 0x10000:  # noqa: PLR2004 - the basic plane has case
            return sign
        once = _once(small)
    # A decomposed letter may itself be a look-alike (Greek ά), and so may a small one.
    return sign if once is None else _once(once) or once


def _once(sign: str) -> str | None:
    if sign in _DRAWN_LIKE:
        return _DRAWN_LIKE[sign]
    code = ord(sign)
    if not any(code in part for part in _DECOMPOSED):
        return None
    whole = unicodedata.normalize("NFKD", sign)
    plain = "".join(ch for ch in whole if not unicodedata.combining(ch))
    if len(plain) == 1 and plain != sign:
        return plain.lower()[0]
    if len(sign.lower()) > 1:
        return plain.lower()[0] if plain else " "
    return None


_PLAIN = _Plain()


def fold(text: str) -> Folded:
    """Fold a text for the search of names; ASCII keeps its places for nothing."""
    if text.isascii():
        return Folded(text=text.lower())
    # Most texts are ASCII with a few dashes and quotes: translate those runs only.
    plain = _NOT_ASCII.sub(lambda run: run.group().translate(_PLAIN), text).lower()
    if _INVISIBLE.search(text) is None:
        return Folded(text=plain)
    kept: list[str] = []
    places: list[int] = []
    last = 0
    for gap in _INVISIBLE.finditer(text):
        kept.append(plain[last : gap.start()])
        places.extend(range(last, gap.start()))
        last = gap.end()
    kept.append(plain[last:])
    places.extend(range(last, len(text)))
    return Folded(text="".join(kept), places=tuple(places))


_NOT_WORD = re.compile(r"[\W_]+")


def words(text: str) -> str:
    """The folded words of a text with one blank between and around them."""
    return " " + _NOT_WORD.sub(" ", fold(text).text).strip() + " "
