"use strict";
// Saves every mark as it is set. A mark counts as saved when the server says so.
(() => {
  const answer = document.getElementById("answer");
  const { base, rater, item, label } = answer.dataset;
  const state = document.getElementById("state");
  const questions = [...document.querySelectorAll(".question")];
  let current = Math.max(0, questions.findIndex((one) => !one.querySelector('[aria-pressed="true"]') && !typed(one)));
  let queue = Promise.resolve();
  let unsaved = 0;

  function typed(question) {
    const field = question.querySelector("input");
    return field !== null && field.value !== "";
  }

  function say(text, problem) {
    state.textContent = text;
    state.classList.toggle("problem", problem);
  }

  function choose(at, reach = true) {
    if (questions.length === 0) return;
    current = Math.min(Math.max(at, 0), questions.length - 1);
    questions.forEach((one, place) => one.classList.toggle("current", place === current));
    const question = questions[current];
    // Not the first button: a space that is meant to scroll would press it.
    const target = question.querySelector("input") ?? question.querySelector('[aria-pressed="true"]') ?? question;
    if (reach) target.focus({ preventScroll: true });
    question.scrollIntoView({ block: "nearest" });
  }

  function press(question, pressed) {
    for (const button of question.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button === pressed));
    }
  }

  async function send(said) {
    const query = new URLSearchParams({ rater });
    const reply = await fetch(`${base}mark?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
    });
    const found = reply.headers.get("Content-Type") === "application/json" ? await reply.json() : {};
    if (!reply.ok) throw new Error(found.problem ?? `the server said ${reply.status}`);
    return found;
  }

  function save(question, mark, cannot) {
    const criterion = question.dataset.criterion;
    unsaved += 1;
    say("saving …", false);
    queue = queue.then(async () => {
      try {
        const progress = await send({ item, label, criterion, mark, cannot_judge: cannot });
        question.classList.remove("unsaved");
        document.getElementById("done").textContent = progress.answers;
        document.getElementById("bar").value = progress.answers;
        const lost = document.querySelector(".unsaved");
        if (lost === null) say(`${criterion}: saved`, false);
      } catch (error) {
        const field = question.querySelector("input");
        if (field !== null) field.dataset.said = "?";
        question.classList.add("unsaved");
        const why = error instanceof TypeError ? "the server does not answer" : error.message;
        say(`${criterion} is NOT saved: ${why}. Set it again.`, true);
      }
      unsaved -= 1;
    });
  }

  function mark(question, button, value) {
    press(question, button);
    const field = question.querySelector("input");
    if (field !== null) {
      field.value = "";
      field.dataset.said = "";
    }
    const cannot = button !== null && button.hasAttribute("data-cannot");
    save(question, cannot ? null : value, cannot);
  }

  // Whether what stands in the field is a mark, which is then on its way.
  function commit(question) {
    const field = question.querySelector("input");
    if (field === null || (field.value === field.dataset.said && field.checkValidity())) return true;
    if (!field.checkValidity()) {
      question.classList.add("unsaved");
      say(`${question.dataset.criterion} is NOT saved: no such mark`, true);
      return false;
    }
    field.dataset.said = field.value;
    press(question, null);
    save(question, field.value === "" ? null : Number(field.value), false);
    return true;
  }

  function onward() {
    if (current < questions.length - 1) choose(current + 1);
  }

  async function go(id) {
    const link = document.getElementById(id);
    if (link === null || !questions.every(commit)) return;
    await queue;
    if (document.querySelector(".unsaved") === null) window.location.assign(link.href);
  }

  const moves = {
    ArrowUp: () => choose(current - 1),
    ArrowDown: () => choose(current + 1),
    ArrowLeft: () => go("before"),
    ArrowRight: () => go("after"),
    Escape: () => choose(current),
    n: () => go("open"),
  };

  function act(key, question, inField) {
    if (key === "c" || key === "Delete") {
      const button = key === "c" ? question.querySelector("[data-cannot]") : null;
      mark(question, button, null);
      if (key === "c") onward();
      return true;
    }
    if (inField) {
      if (key !== "Enter") return false;
      if (commit(question)) onward();
      return true;
    }
    const button = [...question.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    if (button !== undefined) {
      mark(question, button, Number(button.dataset.mark));
      onward();
      return true;
    }
    const field = question.querySelector("input");
    if (field !== null && /^[0-9]$/.test(key)) field.focus();
    return false;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const within = event.target.closest(".question");
    if (within !== null) choose(questions.indexOf(within), false);
    const scrolls = event.target.closest('[role="region"]') !== null;
    if (scrolls && (key === "ArrowUp" || key === "ArrowDown")) return;
    if (Object.hasOwn(moves, key)) {
      event.preventDefault();
      moves[key]();
    } else if (questions.length > 0 && act(key, questions[current], event.target.matches("input"))) {
      event.preventDefault();
    }
  });

  questions.forEach((question, at) => {
    question.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button === null) return;
      choose(at, false);
      mark(question, button, button.hasAttribute("data-mark") ? Number(button.dataset.mark) : null);
    });
    question.querySelector("input")?.addEventListener("focusout", () => commit(question));
  });

  for (const id of ["before", "after", "open"]) {
    document.getElementById(id)?.addEventListener("click", (event) => {
      event.preventDefault();
      go(id);
    });
  }

  window.addEventListener("beforeunload", (event) => {
    if (unsaved > 0 || document.querySelector(".unsaved") !== null) event.preventDefault();
  });

  choose(current);
})();
