import json
import threading
from unittest.mock import Mock

import httpx
import openai
import pytest

from ferry_desk import COOKIE, ROOT, create_app, model


def answer(text):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return httpx.Response(200, json={"object": "chat.completion", "choices": [choice]})


class Service:
    """Stands in for the model's service behind the real openai client; no network."""
    def __init__(self):
        self.seen = []
        self.reply = lambda: answer("At <b>06:30</b>.")

    def handle(self, request):
        self.seen.append(request)
        return self.reply()


@pytest.fixture(autouse=True)
def service(monkeypatch):
    fake, real = Service(), openai.OpenAI
    monkeypatch.setattr(openai, "OpenAI", lambda **options: real(
        http_client=httpx.Client(transport=httpx.MockTransport(fake.handle)), **options))
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://model.test/v1")
    monkeypatch.setenv("OPENAI_MODEL", "test-model")
    return fake


@pytest.fixture
def visitor(tmp_path):
    client = create_app(tmp_path / "desk.sqlite3").test_client()
    client.get("/")
    return client


def ask(client, question="When is sailing 1?"):
    return client.post("/ask", data={"question": question}, headers={"HX-Request": "true"})


def test_model_gets_plan_and_earlier_turns(visitor, service):
    ask(visitor, "First?")
    page = ask(visitor, "Second?").text
    assert "<html" not in page and "&lt;b&gt;06:30" in page  # a fragment, escaped
    assert page.index("First?") < page.index("Second?")
    assert str(service.seen[-1].url) == "http://model.test/v1/chat/completions"
    body = json.loads(service.seen[-1].content)
    system, *rest = body["messages"]
    assert body["model"] == "test-model" and system["role"] == "system"
    assert (ROOT / "plan.txt").read_text(encoding="utf-8") in system["content"]
    assert [(m["role"], m["content"]) for m in rest] == [
        ("user", "First?"), ("assistant", "At <b>06:30</b>."), ("user", "Second?")]


def test_restart_keeps_the_conversation_and_visitors_apart(visitor, tmp_path):
    ask(visitor, "Kept?")
    restarted = create_app(tmp_path / "desk.sqlite3")
    same, other = restarted.test_client(), restarted.test_client()
    same.set_cookie(COOKIE, visitor.get_cookie(COOKIE).value)
    assert "Kept?" in same.get("/").text
    assert "Kept?" not in other.get("/").text


def test_new_conversation(visitor, service):
    ask(visitor, "Old?")
    assert "Old?" not in visitor.post("/new", follow_redirects=True).text
    ask(visitor, "Fresh?")
    assert b"Old?" not in service.seen[-1].content


def test_missing_key(visitor, service, monkeypatch, caplog):
    monkeypatch.delenv("OPENAI_API_KEY")
    response = ask(visitor)
    assert response.status_code == 503 and "key" in response.text
    assert "OPENAI_API_KEY is not set" in caplog.text and not service.seen


@pytest.mark.parametrize("reply, status, sentence, cause", [
    (httpx.Response(401, json={"error": {"message": "bad key"}}), 502, "refused the question", "bad key"),
    (httpx.ConnectError("no route"), 502, "could not be reached", "no route"),
    (httpx.ReadTimeout("slow"), 504, "did not answer within 30 seconds", "APITimeoutError"),
    (answer(""), 502, "no usable answer", "reply without text"),
])
def test_failures_are_told_logged_and_not_kept(visitor, service, caplog, reply, status, sentence, cause):
    service.reply = Mock(side_effect=[reply])  # raises what is an exception, returns what is not
    response = ask(visitor, "Lost?")
    assert response.status_code == status and sentence in response.text and cause in caplog.text
    assert len(service.seen) == 1 and "Lost?" not in visitor.get("/").text  # no retries, nothing kept


def test_whole_call_has_a_deadline(visitor, service, monkeypatch, caplog):
    release = threading.Event()
    service.reply = lambda: (release.wait(5), answer("Late."))[1]
    monkeypatch.setattr(model, "TIMEOUT", 0.1)
    response = ask(visitor)
    release.set()
    assert response.status_code == 504 and "TimeoutError" in caplog.text


def test_bad_questions_do_not_reach_the_model(visitor, service):
    assert ask(visitor, "  ").status_code == ask(visitor, "x" * 2001).status_code == 422
    assert ask(visitor.application.test_client()).status_code == 400  # no cookie
    assert not service.seen


def test_without_script_the_form_still_works(visitor):
    page = visitor.post("/ask", data={"question": "Plain?"}, follow_redirects=True).text
    assert "<html" in page and "Plain?" in page and page.count("<script") == 1
