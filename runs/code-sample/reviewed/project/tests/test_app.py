"""The real openai package runs here, over a transport that stands in for the network."""
import json
import threading

import httpx
import pytest

from app import COOKIE, HERE, create_app

HTMX = {"HX-Request": "true"}


def completion(text):
    message = {"role": "assistant", "content": text}
    return httpx.Response(200, json={
        "id": "1", "object": "chat.completion", "created": 0, "model": "test-model",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}]})


class Service:
    def __init__(self):
        self.sent, self.reply, self.ready = [], None, threading.Event()
        self.ready.set()

    def __call__(self, request):
        self.sent.append({"url": str(request.url), "key": request.headers["Authorization"],
                          **json.loads(request.content)})
        self.ready.wait(5)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply or completion(f"Answer {len(self.sent)}")

    def start(self, **options):
        client = httpx.Client(transport=httpx.MockTransport(self))
        return create_app(client, **options).test_client()


@pytest.fixture
def service(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    monkeypatch.setenv("OPENAI_MODEL", "test-model")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://model.test/v1")
    monkeypatch.setenv("FERRY_DESK_DB", str(tmp_path / "data" / "test.db"))
    return Service()


def ask(client, question):
    return client.post("/ask", data={"question": question}, headers=HTMX)


def test_page_has_one_script_and_works_without_it(service):
    client = service.start()
    assert client.get("/").text.count("<script") == 1
    page = client.post("/ask", data={"question": "Plain?"}, follow_redirects=True).text
    assert page.index('name="question"') < page.index("Plain?") < page.index("Answer 1")
    assert "Plain?" not in client.post("/new", follow_redirects=True).text


def test_answer_is_a_fragment_and_the_model_gets_the_plan(service):
    response = ask(service.start(), "When is <b>sailing 1</b>?")
    assert "Answer 1" in response.text and "<html" not in response.text
    assert "&lt;b&gt;sailing 1" in response.text
    assert response.headers["HX-Trigger"] == "answered"
    sent = service.sent[0]
    assert sent["url"] == "http://model.test/v1/chat/completions"
    assert (sent["key"], sent["model"]) == ("Bearer test-key", "test-model")
    system, user = sent["messages"]
    assert (HERE / "plan.txt").read_text(encoding="utf-8") in system["content"]
    assert user == {"role": "user", "content": "When is <b>sailing 1</b>?"}


def test_conversation_survives_a_restart(service):
    before, after = service.start(), service.start()
    ask(before, "First?")
    after.set_cookie(COOKIE, before.get_cookie(COOKIE).value)
    assert "First?" in after.get("/").text
    text = ask(after, "Second?").text
    parts = ["First?", "Answer 1", "Second?", "Answer 2"]
    assert sorted(parts, key=text.index) == parts
    assert [m["content"] for m in service.sent[1]["messages"][1:]] == parts[:3]


def test_other_visitors_and_new_conversations_start_empty(service):
    one, two = service.start(), service.start()  # two cookie jars over one database
    ask(one, "Old?")
    assert "Old?" not in two.get("/").text + ask(two, "Mine?").text
    assert "Old?" not in one.post("/new", headers=HTMX).text + ask(one, "New?").text
    assert [len(sent["messages"]) for sent in service.sent] == [2, 2, 2]


def test_missing_key(service, monkeypatch, caplog):
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "key of the model is missing" in ask(service.start(), "Any?").text
    assert "OPENAI_API_KEY is not set" in caplog.text


@pytest.mark.parametrize("reply, sentence, cause", [
    (httpx.Response(401, json={"error": {"message": "bad key"}}), "refused", "bad key"),
    (httpx.Response(503, text="overloaded"), "refused", "overloaded"),
    (httpx.ReadTimeout("slow"), "did not answer within 30 seconds", "ReadTimeout"),
    (httpx.ConnectError("no route"), "could not be reached", "no route"),
    (completion(None), "no usable answer", "no text in"),
])
def test_trouble_is_told_and_logged(service, caplog, reply, sentence, cause):
    client, service.reply = service.start(), reply
    response = ask(client, "Any?")
    assert response.status_code == 200 and sentence in response.text
    assert "HX-Trigger" not in response.headers  # the question stays in the field
    assert cause in caplog.text
    assert len(service.sent) == 1  # no retry
    assert "Any?" not in client.get("/").text  # not kept


def test_the_whole_call_is_limited(service, caplog):
    service.ready.clear()
    text = ask(service.start(timeout=0.1), "Any?").text
    service.ready.set()
    assert "did not answer within 0.1 seconds" in text and "TimeoutError" in caplog.text
