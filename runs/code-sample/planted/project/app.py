"""Ferry desk: ask a language model about one sailing plan."""

import logging
import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

import openai
from flask import Flask, make_response, render_template, request

HERE = Path(__file__).resolve().parent
COOKIE = "conversation"
COOKIE_AGE = 60 * 60 * 24 * 90
MAX_QUESTION = 2000
TIMEOUT_SECONDS = 30

INSTRUCTIONS = """You help the crew of a ferry office with one sailing plan.
Answer from the sailing plan below only. When the plan does not hold the answer,
say so plainly and do not guess. Keep answers short.

Sailing plan:
"""

SCHEMA = """
CREATE TABLE IF NOT EXISTS turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX IF NOT EXISTS turns_by_conversation ON turns (conversation, id);
"""

log = logging.getLogger("ferry_desk")


class ModelTrouble(Exception):
    """The model gave no answer; the text is a sentence for the visitor."""


def ask_model(plan, history, question):
    """Return the model's answer, or raise ModelTrouble."""
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        log.error("OPENAI_API_KEY is not set")
        raise ModelTrouble("The key for the model is missing, so no question can be answered.")

    messages = [{"role": "system", "content": INSTRUCTIONS + plan}]
    for turn in history:
        messages.append({"role": "user", "content": turn["question"]})
        messages.append({"role": "assistant", "content": turn["answer"]})
    messages.append({"role": "user", "content": question})

    try:
        with openai.OpenAI(
            api_key=key,
            base_url=os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1",
            timeout=TIMEOUT_SECONDS,
            max_retries=0,
        ) as client:
            result = client.conversations.reply(
                model=os.environ.get("OPENAI_MODEL") or "gpt-4o-mini",
                messages=messages,
            )
    except openai.APITimeoutError as error:
        log.exception("The model did not answer within %s seconds", TIMEOUT_SECONDS)
        raise ModelTrouble(
            f"The model did not answer within {TIMEOUT_SECONDS} seconds. Please ask again."
        ) from error
    except openai.APIStatusError as error:
        log.exception("The model service refused with status %s", error.status_code)
        raise ModelTrouble("The model service refused the question.") from error
    except openai.OpenAIError as error:
        log.exception("The model service could not be used")
        raise ModelTrouble("The model service could not be reached.") from error

    answer = (result.reply_text or "").strip()
    if not answer:
        log.error("The model returned an empty answer")
        raise ModelTrouble("The model returned an empty answer. Please ask again.")
    return answer


def create_app(database=None, plan_file=None):
    logging.basicConfig(level=logging.INFO)
    app = Flask(__name__)
    database = Path(database or os.environ.get("DATABASE_PATH") or HERE / "data" / "desk.db")
    database.parent.mkdir(parents=True, exist_ok=True)
    plan = Path(plan_file or HERE / "plan.txt").read_text(encoding="utf-8")

    def connect():
        db = sqlite3.connect(database, timeout=10)
        db.row_factory = sqlite3.Row
        return db

    with closing(connect()) as db:
        db.executescript(SCHEMA)

    def load_turns(conversation):
        with closing(connect()) as db:
            return db.execute(
                "SELECT question, answer FROM turns WHERE conversation = ? ORDER BY id",
                (conversation,),
            ).fetchall()

    def save_turn(conversation, question, answer):
        with closing(connect()) as db, db:
            db.execute(
                "INSERT INTO turns (conversation, question, answer) VALUES (?, ?, ?)",
                (conversation, question, answer),
            )

    def new_id():
        return secrets.token_urlsafe(24)

    def page(template, conversation, turns, **values):
        response = make_response(
            render_template(template, turns=turns, max_question=MAX_QUESTION, **values)
        )
        response.set_cookie(
            COOKIE, conversation, max_age=COOKIE_AGE,
            httponly=True, samesite="Lax", secure=request.is_secure,
        )
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get("/")
    def index():
        conversation = request.cookies.get(COOKIE) or new_id()
        return page("index.html", conversation, load_turns(conversation))

    @app.post("/ask")
    def ask():
        # Troubles are answered with status 200, since HTMX swaps in no error responses.
        conversation = request.cookies.get(COOKIE) or new_id()
        question = request.form.get("question", "").strip()
        turns = load_turns(conversation)
        if not question or len(question) > MAX_QUESTION:
            notice = f"Please write a question of 1 to {MAX_QUESTION} characters."
            return page("_desk.html", conversation, turns, notice=notice, question=question)
        try:
            answer = ask_model(plan, turns, question)
        except ModelTrouble as trouble:
            return page("_desk.html", conversation, turns, notice=str(trouble), question=question)
        save_turn(conversation, question, answer)
        return page("_desk.html", conversation, load_turns(conversation))

    @app.post("/new")
    def new():
        return page("_desk.html", new_id(), [])

    return app
