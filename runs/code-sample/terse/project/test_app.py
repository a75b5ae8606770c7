import time
from importlib import reload
from unittest.mock import MagicMock

import httpx
import openai
import pytest

import app as desk

SENT = httpx.Request("POST", "http://model.test")
DENIED = openai.AuthenticationError("bad key", response=httpx.Response(401, request=SENT), body=None)

@pytest.fixture
def model(monkeypatch, tmp_path):
    monkeypatch.setenv("FERRY_DB", str(tmp_path / "test.db"))
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.setattr(openai, "OpenAI", MagicMock())
    reload(desk)
    create = openai.OpenAI.return_value.__enter__.return_value.chat.completions.create
    create.return_value.choices[0].message.content = "At 07:10."
    return create

def ask(visitor, question):
    return visitor.post("/ask", data={"question": question}).text

def test_plan_and_earlier_turns_go_to_the_model(model):
    visitor = desk.app.test_client()
    ask(visitor, "First?")
    page = ask(visitor, "Second?")
    assert page.index("First?") < page.index("At 07:10.") < page.index("Second?")
    system, *turns = model.call_args.kwargs["messages"]
    assert (desk.HERE / "plan.txt").read_text(encoding="utf-8") in system["content"]
    assert [turn["content"] for turn in turns] == ["First?", "At 07:10.", "Second?"]

def test_conversation_survives_restart_apart_from_others_until_a_new_one(model):
    visitor = desk.app.test_client()
    ask(visitor, "First?")
    reload(desk)
    same, other = desk.app.test_client(), desk.app.test_client()
    same.set_cookie("conversation", visitor.get_cookie("conversation").value)
    assert "First?" in same.get("/").text and "First?" not in other.get("/").text
    assert "First?" not in same.post("/new").text + same.get("/").text

@pytest.mark.parametrize("cause, sentence, logged", [
    (openai.APITimeoutError(request=SENT), "did not answer within 0.1 seconds", "APITimeoutError"),
    (lambda **_: time.sleep(0.5), "did not answer within 0.1 seconds", "TimeoutError"),
    (DENIED, "refused the question (status 401)", "bad key"), (OSError("odd"), "no usable answer", "odd")])
def test_failure_is_told_and_logged(model, monkeypatch, caplog, cause, sentence, logged):
    monkeypatch.setattr(desk, "TIMEOUT", 0.1)
    model.side_effect = cause
    page = ask(desk.app.test_client(), "Late?")
    assert sentence in page and "<article>" not in page and logged in caplog.text

def test_missing_key_is_told_and_logged(model, monkeypatch, caplog):
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "key to the model is missing" in ask(desk.app.test_client(), "Late?")
    assert "OPENAI_API_KEY is not set" in caplog.text and not model.called
