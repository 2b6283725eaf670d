// Marks and score for the quizzes of extensions/quiz.py. Without this file every choice still opens
// and shows its feedback. A question counts as right when its first opened choice was the right one.
(function () {
  "use strict";

  function fill(template, values) {
    return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  function start() {
    const questions = Array.from(document.querySelectorAll(".quiz-question"));
    if (questions.length === 0) return;
    const last = questions[questions.length - 1];

    const bar = document.createElement("div");
    bar.className = "quiz-score";
    const score = document.createElement("span");
    score.setAttribute("role", "status");
    const reset = document.createElement("button");
    reset.type = "button";
    reset.textContent = last.dataset.reset;
    bar.append(score, reset);
    last.after(bar);

    function show() {
      const right = questions.filter((q) => q.dataset.first === "true").length;
      score.textContent = fill(last.dataset.score, { right, total: questions.length });
    }

    questions.forEach((question) => {
      question.querySelectorAll(".quiz-choice").forEach((choice) => {
        choice.addEventListener("toggle", () => {
          if (!choice.open) return;
          choice.dataset.seen = "true";
          if (!question.dataset.first) question.dataset.first = choice.dataset.right;
          show();
        });
      });
    });

    reset.addEventListener("click", () => {
      questions.forEach((question) => {
        delete question.dataset.first;
        question.querySelectorAll(".quiz-choice").forEach((choice) => {
          choice.open = false;
          delete choice.dataset.seen;
        });
      });
      show();
      questions[0].scrollIntoView({ block: "center" });
    });
    show();
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
