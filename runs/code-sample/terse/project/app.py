"""ferry-desk: the crew asks a language model about one sailing plan."""
import os
import secrets
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import openai
from flask import Flask, make_response, render_template, request

HERE = Path(__file__).parent
DATABASE = os.environ.get("FERRY_DB") or HERE / "ferry.db"
TIMEOUT = 30  # seconds
INSTRUCTIONS = ("You answer the crew of a ferry office. Answer from the sailing plan below only; "
                "when it does not hold the answer, say so and do not guess.\n\nSailing plan:\n")
app = Flask(__name__, template_folder=".")
pool = ThreadPoolExecutor(max_workers=16)

def query(sql, *values):
    with closing(sqlite3.connect(DATABASE)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS turn (id INTEGER PRIMARY KEY, conversation, question, answer)")
        return db.execute(sql, values).fetchall()

def turns_of(conversation):
    return query("SELECT question, answer FROM turn WHERE conversation = ? ORDER BY id", conversation)

def call_model(messages):
    if not (key := os.environ.get("OPENAI_API_KEY")):
        raise KeyError("OPENAI_API_KEY is not set")
    base_url = os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
    model = os.environ.get("OPENAI_MODEL") or "gpt-4o-mini"
    with openai.OpenAI(api_key=key, base_url=base_url, timeout=TIMEOUT, max_retries=0) as client:
        reply = client.chat.completions.create(model=model, messages=messages)
    if not (answer := reply.choices[0].message.content):
        raise ValueError(f"the reply holds no text: {reply}")
    return answer

def explain(cause):
    match cause:
        case KeyError():
            return "The key to the model is missing, so no question can be answered."
        case TimeoutError() | openai.APITimeoutError():
            return f"The model did not answer within {TIMEOUT} seconds. Please try again."
        case openai.APIStatusError():
            return f"The service of the model refused the question (status {cause.status_code})."
    return "The service of the model could not be reached or gave no usable answer."

def current_conversation():
    return request.cookies.get("conversation") or secrets.token_urlsafe(24)

def page(conversation, question="", problem=""):
    turns = turns_of(conversation)
    response = make_response(render_template("page.html", turns=turns, question=question, problem=problem))
    if request.cookies.get("conversation") != conversation:
        response.set_cookie("conversation", conversation, max_age=365 * 24 * 3600,
                            httponly=True, samesite="Lax", secure=request.is_secure)
    return response

@app.get("/")
def home():
    return page(current_conversation())

@app.post("/new")
def new():
    return page(secrets.token_urlsafe(24))

@app.post("/ask")
def ask():
    conversation = current_conversation()
    question = request.form.get("question", "").strip()
    if not question:
        return page(conversation, problem="Please type a question.")
    messages = [{"role": "system", "content": INSTRUCTIONS + (HERE / "plan.txt").read_text(encoding="utf-8")}]
    for asked, answered in turns_of(conversation):
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
    messages.append({"role": "user", "content": question})
    try:  # the client's timeout bounds each read only, result() bounds the whole call
        answer = pool.submit(call_model, messages).result(TIMEOUT)
    except Exception as cause:
        app.logger.exception("The model gave no answer")
        return page(conversation, question, explain(cause))
    query("INSERT INTO turn (conversation, question, answer) VALUES (?, ?, ?)", conversation, question, answer)
    return page(conversation)
