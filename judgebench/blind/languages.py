"""What begins and ends a comment in the languages that projects are written in.

Only what is surely a comment is named here: a sign that is also an operator counts at
the beginning of a line alone, and a language that is not listed has no comments.
"""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from judgebench.records import dataclass

Block = tuple[str, str]
"""Beginning and end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Signs:
    """What begins a comment in one language."""

    line: tuple[str, ...] = ()
    """To the end of the line, where they stand free."""
    leading: tuple[str, ...] = ()
    """To the end of the line, where they open it; in any letter case."""
    column: tuple[str, ...] = ()
    """The same, from the line's very first character."""
    blocks: tuple[Block, ...] = ()
    edges: tuple[Block, ...] = ()
    """Blocks whose two words each open a line."""
    quotes: str = ""
    long_quotes: tuple[Block, ...] = ()
    """Texts that go over line ends."""
    docs: re.Pattern[str] | None = None
    """What may stand before a long text that is documentation, from the line's beginning."""
    heredocs: bool = False


_C_BLOCK = ("/*", "*/")
_HTML = ("<!--", "-->")
_JINJA = ("{#", "#}")
_TAGGED = (
    ("{% comment %}", "{% endcomment %}"), ("{%- comment -%}", "{%- endcomment -%}"),
)  # fmt: skip
_TRIPLE = ('"""', '"""')
_TRIPLES = (("'''", "'''"), _TRIPLE)
_BARE = re.compile(r"\s*[rRuU]?\Z")
_ATTRIBUTE = re.compile(r"\s*@(?:module|type)?doc\s+(?:~[sS])?\Z")

_HASH = Signs(line=("#",), quotes="'\"`")
_SHELL = replace(_HASH, heredocs=True)
_RUBY = replace(_SHELL, edges=(("=begin", "=end"),))
_PERL = replace(
    _SHELL, edges=tuple((f"={word}", "=cut") for word in ("pod", "head1", "begin", "for", "over"))
)
_PYTHON = Signs(line=("#",), quotes="'\"", long_quotes=_TRIPLES, docs=_BARE)
_ELIXIR = replace(_HASH, long_quotes=(_TRIPLE,), docs=_ATTRIBUTE)
_TICK = ("`", "`")
_SLASH = Signs(line=("//",), blocks=(_C_BLOCK,), quotes="'\"", long_quotes=(_TICK,))
_LONG_SLASH = replace(_SLASH, long_quotes=(_TRIPLE,))
_LUA_LONG = tuple((f"[{'=' * n}[", f"]{'=' * n}]") for n in range(3))
_LUA = Signs(
    line=("--",), blocks=tuple((f"--{a}", b) for a, b in _LUA_LONG), quotes="'\"",
    long_quotes=_LUA_LONG,
)  # fmt: skip
_LISP = Signs(line=(";",), blocks=(("#|", "|#"),), quotes='"')
_ML = Signs(blocks=(("(*", "*)"),), quotes='"')
_MARKUP = Signs(blocks=(_HTML,))
_TEMPLATE = replace(_MARKUP, blocks=(_HTML, _JINJA, *_TAGGED))

_LANGUAGES: tuple[tuple[Signs, str], ...] = (
    (_HASH, "awk bzl cmake conf fish gql graphql mk nim nims r sed tcl toml yaml yml"),
    (_SHELL, "bash cr ksh sh zsh"),
    (replace(_HASH, leading=(";",)), "cfg"),
    (_RUBY, "gemspec podspec rake rb ru"),
    (_PERL, "pl pm t"),
    (_PYTHON, "py pyi pyw pyx"),
    (_ELIXIR, "ex exs"),
    (replace(_HASH, blocks=(("#=", "=#"),), long_quotes=(_TRIPLE,), docs=_BARE), "jl"),
    (replace(_HASH, blocks=(("###", "###"),)), "coffee"),
    (replace(_SHELL, line=("#", "//"), blocks=(_C_BLOCK,)), "hcl tf tfvars"),
    (replace(_HASH, blocks=(_C_BLOCK,), long_quotes=(("''", "''"),), quotes='"'), "nix"),
    (_SLASH, "astro c cc cjs cpp cts cxx glsl go h hh hpp js json5 jsonc jsx less mjs mts proto"),
    (_SLASH, "rs sass scss sol styl sv ts tsx v wgsl zig"),
    (_LONG_SLASH, "cs dart gradle groovy java kt kts sbt scala swift"),
    (replace(_SLASH, blocks=(_HTML, _C_BLOCK)), "svelte vue"),
    (replace(_SLASH, line=("//", "# "), blocks=(_HTML, ("{{--", "--}}"), _C_BLOCK),
             long_quotes=()), "php"),
    (replace(_SLASH, blocks=(_C_BLOCK, ("/+", "+/"))), "d"),
    (Signs(leading=("//", "%"), blocks=(_C_BLOCK,), quotes='"'), "m"),
    (Signs(blocks=(_C_BLOCK,), quotes="'\""), "css"),
    (Signs(line=("--",), blocks=(_C_BLOCK,), quotes="'\""), "ddl pgsql plsql psql sql"),
    (_LUA, "lua luau"),
    (Signs(line=("--",), blocks=(("{-", "-}"),), quotes='"'), "cabal elm hs idr purs"),
    (Signs(line=("--",), quotes='"'), "adb ads vhd vhdl"),
    (Signs(line=("--", "#"), blocks=(("(*", "*)"),), quotes='"'), "applescript scpt"),
    (_LISP, "asd clj cljc cljs edn el fnl lisp lsp rkt scm ss"),
    (Signs(line=(";",), quotes="'\""), "asm nasm"),
    (Signs(leading=("#", ";", "@"), blocks=(_C_BLOCK,)), "s"),
    (Signs(line=("%",), quotes="'\""), "erl hrl"),
    (Signs(line=("%",)), "bib dtx latex ltx sty tex"),
    (Signs(leading=("#", ";", "!")), "desktop editorconfig env ini inf npmrc properties reg"),
    (Signs(leading=('"',)), "vim vimrc"),
    (Signs(line=("!",), quotes="'\""), "f03 f08 f90 f95"),
    (Signs(leading=("!",), column=("c ", "*")), "f for"),
    (Signs(leading=("rem ", "@rem ", "::")), "bat cmd"),
    (Signs(line=("#",), blocks=(("<#", "#>"),), quotes="'\"",
           long_quotes=(("@'", "'@"), ('@"', '"@'))), "ps1 psd1 psm1"),
    (Signs(line=("'",), leading=("rem ",), quotes='"'), "bas vb vbs"),
    (Signs(line=("//",), blocks=(("{", "}"), ("(*", "*)")), quotes="'"), "dpr lpr pas pp"),
    (_ML, "ml mli mll mly sml"),
    (replace(_ML, line=("//",), long_quotes=(_TRIPLE,)), "fs fsi fsx"),
    (Signs(leading=("*>",), column=("      *",)), "cbl cob cpy"),
    (_MARKUP, "markdown md svg xml xsd xsl xslt plist csproj fsproj vbproj props targets nuspec"),
    (replace(_MARKUP, blocks=(_HTML, ("{/*", "*/}"))), "mdx"),
    (replace(_TEMPLATE, blocks=(_HTML, ("<%#", "%>"), _JINJA, *_TAGGED)),
     "djhtml ejs erb htm html jinja jinja2 j2 liquid njk twig"),
    (replace(_MARKUP, blocks=(_HTML, ("{{!--", "--}}"), ("{{!", "}}"))), "handlebars hbs mustache"),
    (replace(_MARKUP, blocks=(_HTML, ("@*", "*@"))), "cshtml razor"),
    (replace(_MARKUP, blocks=(("<%!--", "--%>"), ("<%--", "--%>"), ("<%#", "%>"), _HTML)),
     "aspx eex gsp heex jsp leex"),
    (Signs(leading=("-#", "/")), "haml"),
    (Signs(leading=("/",)), "slim"),
    (Signs(leading=("//",)), "pug jade"),
    (Signs(leading=("..  ", ".. ")), "rst"),
    (Signs(leading=("//",)), "adoc asciidoc"),
    (Signs(leading=("# ",)), "org"),
)  # fmt: skip
_SIGNS = {ending: signs for signs, endings in _LANGUAGES for ending in endings.split()}
_NAMES: dict[str, Signs] = {
    **dict.fromkeys(
        (
            ".bash_profile", ".bashrc", ".dockerignore", ".eslintignore", ".gitattributes",
            ".gitignore", ".npmignore", ".prettierignore", ".profile", ".zshrc", "appfile",
            "brewfile", "build", "caddyfile", "cmakelists.txt", "codeowners", "containerfile",
            "dangerfile", "dockerfile", "fastfile", "gemfile", "gnumakefile", "guardfile",
            "justfile", "makefile", "meson.build", "podfile", "procfile", "rakefile",
            "requirements.txt", "tiltfile", "vagrantfile", "workspace",
        ),
        _SHELL,
    ),
    **dict.fromkeys(("jenkinsfile", "go.mod", "go.work"), _LONG_SLASH),
    **dict.fromkeys((".editorconfig", ".env", ".gitconfig", ".npmrc", ".pylintrc"), _SIGNS["ini"]),
    ".vimrc": _SIGNS["vim"],
}  # fmt: skip
_SHEBANG = re.compile(
    r"#!\s*\S*/(?:env\s+(?:-\S+\s+)?)?(?P<program>[a-z]+)[\d.]*(?:\s|\Z)"
)  # fmt: skip
_PROGRAMS = {
    "node": "js", "deno": "js", "bun": "js", "python": "py", "ruby": "rb", "perl": "pl",
    "lua": "lua", "php": "php", "runghc": "hs", "runhaskell": "hs", "elixir": "exs",
    "escript": "erl", "groovy": "groovy",
}  # fmt: skip


def signs_of(path: str, first_line: str = "") -> Signs | None:
    """What begins a comment in a file.

    Args:
        path: Its name says the language.
        first_line: Where the name has no ending, the program that is to run it does.

    Returns:
        None where the language is not known.
    """
    name = PurePosixPath(path).name.lower()
    if name in _NAMES:
        return _NAMES[name]
    if name.startswith(("dockerfile.", "containerfile.", ".env.")):
        return _SHELL
    if name.startswith("requirements") and name.endswith(".txt"):
        return _HASH
    if "." in name:
        return _SIGNS.get(name.rpartition(".")[2])
    program = _SHEBANG.match(first_line)
    if program is None:
        return None
    return _SIGNS.get(_PROGRAMS.get(program["program"], ""), _SHELL)
