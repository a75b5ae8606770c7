"""Ferry desk: questions about one sailing plan, answered by a language model."""
import os
import secrets
from pathlib import Path

from flask import Flask, g, make_response, redirect, render_template, request, url_for

from model import Model, ModelTrouble
from store import Store

HERE = Path(__file__).resolve().parent
COOKIE = "ferry_desk_conversation"
MAX_QUESTION = 2000


def create_app(http_client=None, timeout=30):
    """Build the app; the tests pass an HTTP client that reaches no network."""
    app = Flask(__name__)
    plan = (HERE / "plan.txt").read_text(encoding="utf-8")
    # "or": compose hands over unset variables as empty strings.
    store = Store(os.environ.get("FERRY_DESK_DB") or HERE / "data" / "ferry-desk.db")
    model = Model(
        api_key=os.environ.get("OPENAI_API_KEY", "").strip(),
        name=os.environ.get("OPENAI_MODEL") or "gpt-4o-mini",
        base_url=os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1",
        timeout=timeout, http_client=http_client)

    @app.before_request
    def find_conversation():
        # The cookie is the conversation's name: long, random, and valid after a restart.
        g.conversation = request.cookies.get(COOKIE) or secrets.token_urlsafe(32)

    @app.after_request
    def keep_conversation(response):
        # Only when it changed: a late answer must not undo "new conversation" in another tab.
        if g.conversation != request.cookies.get(COOKIE):
            response.set_cookie(COOKIE, g.conversation, max_age=365 * 24 * 3600,
                                httponly=True, samesite="Lax", secure=request.is_secure)
        response.headers["Cache-Control"] = "no-store"
        return response

    def show(trouble=None, question=""):
        """The conversation alone for HTMX, the whole page for a browser without it."""
        template = "conversation.html" if "HX-Request" in request.headers else "index.html"
        return render_template(template, turns=store.turns(g.conversation), trouble=trouble,
                               question=question, max_question=MAX_QUESTION)

    @app.get("/")
    def index():
        return show()

    @app.post("/ask")
    def ask():
        # Trouble goes out with status 200: HTMX does not show the body of an error status.
        question = request.form.get("question", "").strip()
        if not 0 < len(question) <= MAX_QUESTION:
            return show(f"Please type a question of at most {MAX_QUESTION} characters.", question)
        try:
            answer = model.answer(plan, store.turns(g.conversation), question)
        except ModelTrouble as trouble:
            app.logger.exception("Question not answered")  # the traceback holds the cause
            return show(str(trouble), question)
        store.add(g.conversation, question, answer)
        if "HX-Request" not in request.headers:
            return redirect(url_for("index"), 303)
        response = make_response(show())
        response.headers["HX-Trigger"] = "answered"  # the form empties itself on this event
        return response

    @app.post("/new")
    def new():
        g.conversation = secrets.token_urlsafe(32)
        return show() if "HX-Request" in request.headers else redirect(url_for("index"), 303)

    return app
