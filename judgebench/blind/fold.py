"""One plain spelling of a text, with the way back to where each character stood.

Disguises are undone here: invisible characters are dropped, look-alike letters
of other scripts and full-width forms become ASCII, accents and case go. Every
character becomes one character or none, so that places map back exactly.
"""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

# Letters of other scripts that are drawn like Latin ones.
_CONFUSABLE = (
    "аaвbсcԁdеeҽeɡgнhһhіiїiјjкkмmоoрpԛqѕsтtυuцuѵvԝwхxуyүyгrɑaαaβbεeηnιiκkνvοoρpτtχxωwγy"
    "ӏlіiⅼlǀl∣lոnսuօoհhցgզqԍgҮyℓlıi"
    "АaВbСcЕeНhІiЇiЈjКkМmОoРpЅsТtХxУyҮyԚqԜwΑaΒbΕeΖzΗhΙiΚkΜmΝnΟoΡpΤtΥyΧxӀl"
)
_CONFUSABLE += (
    "ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᎫjᏦkᏞlᎷmᏢpᏒrᏚsᎢtᏙvᎳwᏃzꓐbꓑpꓓdꓔtꓖgꓗkꓙjꓚcꓜzꓝfꓟmꓠnꓡlꓢsꓣrꓦvꓧhꓪwꓫxꓬyꓮaꓰeꓲiꓳoꓴu"
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


@cache
def _table() -> dict[int, str]:
    """Map each character that is not plain to the plain one; built once."""
    table: dict[int, str] = {}
    # Latin, phonetic, Greek and Cyrillic with accents, enclosed and mathematical letters.
    for low, high in (
        (0xA0, 0x590),
        (0x1E00, 0x2000),
        (0x2000, 0x2070),
        (0x2100, 0x2150),
        (0x24B6, 0x24EA),
        (0xFF01, 0xFF5F),
        (0x1D400, 0x1D800),
    ):
        for code in range(low, high):
            plain = unicodedata.normalize("NFKD", chr(code))
            plain = "".join(ch for ch in plain if not unicodedata.combining(ch))
            if len(plain) == 1 and plain != chr(code):
                table[code] = plain.lower()[0]
            elif len(chr(code).lower()) > 1:
                table[code] = plain.lower()[0] if plain else " "
    for pairs in (_CONFUSABLE, _STROKED):
        for sign, plain in zip(pairs[::2], pairs[1::2], strict=True):
            table[ord(sign)] = plain
    # A decomposed letter may itself be a look-alike (Greek ά), and so may a small one.
    table = {code: table.get(ord(plain), plain) for code, plain in table.items()}
    for code in range(0x80, 0x10000):
        small = chr(code).lower()
        if len(small) == 1 and ord(small) in table:
            table.setdefault(code, table[ord(small)])
    return table


def fold(text: str) -> Folded:
    """Fold a text for the search of names; ASCII keeps its places for nothing."""
    if text.isascii():
        return Folded(text=text.lower())
    # Most texts are ASCII with a few dashes and quotes: translate those runs only.
    plain = _NOT_ASCII.sub(lambda run: run.group().translate(_table()), text).lower()
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
