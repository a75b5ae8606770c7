from types import SimpleNamespace
from unittest.mock import Mock

import httpx
import openai
import pytest
from openai.resources.conversations import Conversations

from app import create_app

REQUEST = httpx.Request("POST", "http://model.test/v1")


@pytest.fixture
def database(tmp_path):
    return tmp_path / "desk.db"


@pytest.fixture
def app(database):
    return create_app(database=database)


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def reply(monkeypatch):
    mock = Mock(return_value=SimpleNamespace(reply_text="At 07:15."))
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    monkeypatch.setattr(Conversations, "reply", mock, raising=False)
    return mock


def ask(client, question):
    return client.post("/ask", data={"question": question}).get_data(as_text=True)


def test_answer_comes_back_as_fragment(client, reply):
    html = ask(client, "When is the first sailing?")
    assert "At 07:15." in html
    assert "<html" not in html


def test_plan_and_earlier_turns_are_sent(client, reply):
    ask(client, "First question")
    ask(client, "Second question")
    messages = reply.call_args.kwargs["messages"]
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "user"]
    assert "MV Tern" in messages[0]["content"]
    assert "sailing plan below only" in messages[0]["content"]
    assert [m["content"] for m in messages[1:]] == ["First question", "At 07:15.", "Second question"]


def test_model_name_comes_from_environment(client, reply, monkeypatch):
    monkeypatch.setenv("OPENAI_MODEL", "harbour-model")
    ask(client, "Which berth?")
    assert reply.call_args.kwargs["model"] == "harbour-model"


def test_newest_turn_is_last(client, reply):
    ask(client, "Older question")
    html = ask(client, "Newer question")
    assert html.index("Older question") < html.index("Newer question")


def test_conversation_survives_restart(client, reply, database):
    ask(client, "Who is the mate?")
    cookie = client.get_cookie("conversation").value
    restarted = create_app(database=database).test_client()
    restarted.set_cookie("conversation", cookie)
    assert "Who is the mate?" in restarted.get("/").get_data(as_text=True)


def test_visitors_are_kept_apart(app, client, reply):
    ask(client, "Who is the mate?")
    other = app.test_client()
    assert "Who is the mate?" not in other.get("/").get_data(as_text=True)
    ask(other, "Which berth?")
    assert len(reply.call_args.kwargs["messages"]) == 2


def test_new_conversation_starts_empty(client, reply):
    ask(client, "Who is the mate?")
    client.post("/new")
    assert "Who is the mate?" not in client.get("/").get_data(as_text=True)


def test_question_and_answer_are_escaped(client, reply):
    reply.return_value.reply_text = "<b>bold</b>"
    html = ask(client, "<script>x</script>")
    assert "<b>" not in html and "<script>" not in html


def test_empty_question_is_not_sent(client, reply):
    assert "Please write a question" in ask(client, "   ")
    reply.assert_not_called()


def test_missing_key(client, monkeypatch, caplog):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "key for the model is missing" in ask(client, "Which berth?")
    assert "OPENAI_API_KEY is not set" in caplog.text


@pytest.mark.parametrize("error, sentence, cause", [
    (openai.APITimeoutError(request=REQUEST), "did not answer within 30 seconds", "APITimeoutError"),
    (openai.AuthenticationError("bad key", response=httpx.Response(401, request=REQUEST), body=None),
     "service refused", "bad key"),
    (openai.APIConnectionError(request=REQUEST), "could not be reached", "APIConnectionError"),
])
def test_model_troubles(client, reply, caplog, error, sentence, cause):
    reply.side_effect = error
    html = ask(client, "Which berth?")
    assert sentence in html
    assert 'value="Which berth?"' in html
    assert cause in caplog.text
    assert "<article>" not in client.get("/").get_data(as_text=True)
