"""Ferry desk: ask a language model about one sailing plan."""
import logging
import os
import re
import secrets
from pathlib import Path

from flask import Flask, redirect, render_template, request, url_for
from markupsafe import escape

from . import model
from .store import Store

ROOT = Path(__file__).resolve().parent.parent
COOKIE = "conversation"
YEAR = 365 * 24 * 3600  # seconds
CONVERSATION_ID = re.compile(r"[A-Za-z0-9_-]{43}")  # the form of token_urlsafe(32)
MAX_QUESTION = 2000


def create_app(db_path=None):
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    app = Flask(__name__)
    store = Store(db_path or os.environ.get("FERRY_DESK_DB") or ROOT / "data" / "ferry-desk.sqlite3")

    def conversation():
        """The id in the visitor's cookie, or None. It cannot be guessed, so it keeps visitors apart."""
        value = request.cookies.get(COOKIE, "")
        return value if CONVERSATION_ID.fullmatch(value) else None

    def keep(response, conversation_id):
        response.set_cookie(COOKIE, conversation_id, max_age=YEAR,
                            httponly=True, samesite="Lax", secure=request.is_secure)
        return response

    def page(turns, problem="", question=""):
        return render_template("index.html", turns=turns, problem=problem, question=question, limit=MAX_QUESTION)

    @app.get("/")
    def index():
        current = conversation() or secrets.token_urlsafe(32)
        return keep(app.make_response(page(store.turns(current))), current)

    @app.post("/ask")
    def ask():
        current = conversation()
        question = request.form.get("question", "").strip()
        by_htmx = "HX-Request" in request.headers
        turns = store.turns(current) if current else []

        def problem(sentence, status):
            return (escape(sentence) if by_htmx else page(turns, sentence, question)), status

        # A form on another site cannot send the SameSite cookie, so this also stops forged questions.
        if not current:
            return problem("Your browser sent no cookie. Allow cookies here, reload the page and ask again.", 400)
        if not 0 < len(question) <= MAX_QUESTION:
            return problem(f"Please ask a question of 1 to {MAX_QUESTION} characters.", 422)
        try:
            answer = model.ask((ROOT / "plan.txt").read_text(encoding="utf-8"), turns, question)
        except model.ModelError as error:
            return problem(error.sentence, error.status)
        store.add(current, question, answer)
        if by_htmx:
            return render_template("_turns.html", turns=store.turns(current))
        return redirect(url_for("index"), 303)

    @app.post("/new")
    def new():
        response = redirect(url_for("index"), 303)
        return keep(response, secrets.token_urlsafe(32)) if conversation() else response

    # Flask has logged the cause by the time this is called.
    app.register_error_handler(500, lambda _: ("Something went wrong at the desk. Please tell whoever runs it.", 500))
    return app
