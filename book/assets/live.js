// Live figures of extensions/live.py. A figure is a function of its element; its words come from the
// element's data attributes, so that nothing here needs translating.
(function () {
  "use strict";

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // Bars of softmax(factor * scores), with a slider for the factor.
  function softmax(figure) {
    const scores = figure.dataset.scores.split(",").map(Number);
    const names = figure.dataset.names.split(",").map((name) => name.trim());

    const bars = element("div", "live-bars");
    const rows = names.map((name) => {
      const fill = element("span", "live-fill");
      const track = element("span", "live-track");
      const number = element("span", "live-number");
      track.append(fill);
      bars.append(element("span", "live-name", name), track, number);
      return { fill, number };
    });

    const label = element("label", "live-slider", figure.dataset.slider + " ");
    const slider = element("input");
    Object.assign(slider, { type: "range", min: "0", max: "3", step: "0.05", value: "0.5" });
    const value = element("output");
    label.append(slider, value);

    function draw() {
      const factor = Number(slider.value);
      const highest = Math.max(...scores) * factor;
      const exponentials = scores.map((score) => Math.exp(score * factor - highest));
      const sum = exponentials.reduce((a, b) => a + b, 0);
      rows.forEach(({ fill, number }, i) => {
        const weight = exponentials[i] / sum;
        fill.style.width = `${100 * weight}%`;
        number.textContent = weight.toFixed(4);
      });
      value.textContent = factor.toFixed(2);
    }
    slider.addEventListener("input", draw);
    draw();
    figure.prepend(bars, label);
  }

  const figures = { softmax };

  function start() {
    document.querySelectorAll(".live-figure").forEach((figure) => {
      figures[figure.dataset.figure](figure);
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
