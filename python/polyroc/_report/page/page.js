"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.documentElement.classList.add("script");
  const $ = (id) => document.getElementById(id);
  const button = (text, act, kind = "") => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.className = kind;
    made.addEventListener("click", act);
    return made;
  };

  // Tables sort by the number of a cell, not by its text.
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, k) => {
      const sort = () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = (row) => row.cells[k].dataset.value ?? row.cells[k].textContent;
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => {
          const [x, y] = [key(a), key(b)];
          if (x === "" || y === "") return (x === "") - (y === ""); // what is not known comes last
          const order = isNaN(x) || isNaN(y) ? x.localeCompare(y, "en", { numeric: true }) : x - y;
          return up ? order : -order;
        });
        table.tBodies[0].append(...rows);
      };
      const face = button("", sort);
      face.append(...head.childNodes); // with the places where a name may be broken
      head.append(face);
    });
  }

  // Every figure can be saved, with the looks it has here written into it.
  const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "paint-order", "visibility"];
  const standalone = (svg) => {
    const copy = svg.cloneNode(true);
    const [from, to] = [svg, copy].map((one) => [one, ...one.querySelectorAll("*")]);
    from.forEach((one, k) => {
      const looks = getComputedStyle(one);
      if (one.tagName !== "title") to[k].setAttribute("style", LOOKS.map((name) => `${name}:${looks.getPropertyValue(name)}`).join(";"));
    });
    const [, , width, height] = svg.getAttribute("viewBox").split(" ");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    return new XMLSerializer().serializeToString(copy);
  };
  for (const figure of document.querySelectorAll("figure")) {
    const svg = figure.querySelector("svg");
    if (!svg) continue;
    const save = button("Save as SVG", () => {
      const url = URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = `${figure.id}.svg`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    }, "tool");
    save.setAttribute("aria-label", "Save as SVG: " + svg.getAttribute("aria-label"));
    figure.append(save);
  }

  for (const copy of document.querySelectorAll("button[data-copy]")) {
    copy.addEventListener("click", () => {
      const from = $(copy.dataset.copy), said = copy.textContent;
      const done = () => { copy.textContent = "Copied"; setTimeout(() => { copy.textContent = said; }, 1500); };
      const select = () => { getSelection().selectAllChildren(from); document.execCommand("copy"); done(); };
      if (navigator.clipboard) navigator.clipboard.writeText(from.textContent).then(done, select);
      else select();
    });
  }

  // Curves: the same places as in the pictures that came with the page.
  const size = 400, edge = 46, x = (rate) => edge + rate * size, y = (rate) => 8 + (1 - rate) * size;
  for (const curve of [data.curves, data.pair_curves].flatMap(Object.values).flatMap(Object.values)) {
    curve.fpr = curve.fp.map((one) => one / curve.n);
    curve.tpr = curve.tp.map((one) => one / curve.p);
  }
  const path = (curve) => "M" + curve.fpr.map((rate, k) => `${x(rate).toFixed(1)} ${y(curve.tpr[k]).toFixed(1)}`).join("L");
  const draw = (svg, slot, name, curve) => {
    svg.querySelector(`path[data-slot="${slot}"]`).setAttribute("d", path(curve));
    svg.querySelector(`text[data-slot="${slot}"]`).textContent = `${name}  ${curve.auc.toFixed(4)}`;
  };
  const place = (circle, curve, k) => {
    circle.setAttribute("cx", x(curve.fpr[k]));
    circle.setAttribute("cy", y(curve.tpr[k]));
    circle.setAttribute("visibility", "visible");
  };

  // Wilson's interval of a share p of n rows (1927).
  const wilson = (p, n) => {
    const z = data.z, middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const half = z / (1 + z * z / n) * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return [Math.max(0, middle - half), Math.min(1, middle + half)];
  };
  // Rows are whole; sums of weights need not be.
  const count = (value, whole) => (whole ? Math.round(value) : value).toLocaleString("en", { maximumSignificantDigits: whole ? 21 : 4 });

  // The threshold: one model and one class at a time.
  const slider = $("threshold"), model = $("slider-model"), label = $("slider-class");
  const svg = $("curves").querySelector("svg"), point = svg.querySelector(".point"), near = svg.querySelector(".near");
  const slots = svg.querySelectorAll("path[data-slot]").length;
  const shown = () => {
    const drawn = data.models.slice(0, slots);
    return drawn.includes(model.value) ? drawn : [...drawn.slice(0, -1), model.value];
  };
  const nothing = 2 ** -40; // the share of all below which a sum of weights is none but for rounding
  const rest = (all, part) => all - part > nothing * all ? all - part : 0;
  const move = () => {
    const curve = data.curves[model.value][label.value], k = Number(slider.value);
    const tp = curve.tp[k], fp = curve.fp[k], fn = rest(curve.p, tp), tn = rest(curve.n, fp);
    $("threshold-value").textContent = curve.thresholds[k];
    slider.setAttribute("aria-valuetext", curve.thresholds[k]);
    const rates = [["sens", "sensitivity", tp, curve.p], ["spec", "specificity", tn, curve.n], ["ppv", "ppv", tp, tp + fp], ["npv", "npv", tn, tn + fn]];
    const found = {};
    for (const [id, name, hits, all] of rates) {
      // Where rows have weights or come in groups, python says how many independent ones they are worth.
      const n = curve.effective ? curve.effective[name][k] : all;
      const known = all > nothing * (curve.p + curve.n);
      found[id] = known && n > 0 ? wilson(Math.min(1, hits / all), n) : null;
      $(id).textContent = known ? (hits / all).toFixed(4) : "-";
      $(id + "-limits").textContent = found[id] ? found[id].map((one) => one.toFixed(4)).join(" to ") : "-";
    }
    const turned = (limits) => limits && [1 - limits[1], 1 - limits[0]], whole = Number.isInteger(curve.p) && Number.isInteger(curve.n);
    for (const [id, hits, all, limits] of [["tp", tp, curve.p, found.sens], ["fn", fn, curve.p, turned(found.sens)], ["fp", fp, curve.n, turned(found.spec)], ["tn", tn, curve.n, found.spec]]) {
      $(id).textContent = count(hits, Number.isInteger(hits));
      $(id + "-limits").textContent = limits ? `(${limits.map((one) => count(one * all, whole)).join(" to ")})` : "";
    }
    place(point, curve, k);
  };
  const choose = () => {
    const curve = data.curves[model.value][label.value];
    slider.max = curve.fpr.length - 1;
    slider.value = curve.best;
    shown().forEach((name, slot) => draw(svg, slot, data.legend[data.models.indexOf(name)], data.curves[name][label.value]));
    $("curves-of").textContent = `class ${label.value} against ${data.classes.length > 2 ? "the rest" : data.classes[0]}`;
    svg.setAttribute("aria-label", "ROC curves of " + $("curves-of").textContent);
    svg.querySelector("title").textContent = svg.getAttribute("aria-label");
    near.setAttribute("visibility", "hidden");
    move();
  };
  slider.addEventListener("input", move);
  model.addEventListener("change", choose);
  label.addEventListener("change", choose);
  svg.addEventListener("mousemove", (event) => {
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const rate = ((event.clientX - box.left) * scale - edge) / size, height = 1 - ((event.clientY - box.top) * scale - 8) / size;
    let least = Infinity, name, at = 0;
    for (const one of shown()) {
      const curve = data.curves[one][label.value];
      curve.fpr.forEach((other, k) => {
        const away = (other - rate) ** 2 + (curve.tpr[k] - height) ** 2;
        if (away < least) [least, name, at] = [away, one, k];
      });
    }
    const curve = data.curves[name][label.value];
    $("hover").textContent = `${name}: threshold ${curve.thresholds[at]}, FPR ${curve.fpr[at].toFixed(4)}, TPR ${curve.tpr[at].toFixed(4)}`;
    place(near, curve, at);
  });
  svg.addEventListener("mouseleave", () => near.setAttribute("visibility", "hidden"));
  choose();

  // A pair of classes: its two curves, one for each column.
  const pairs = $("pair-curves");
  if (pairs) {
    const open = (name, pair) => {
      const [i, j] = pair.split(",").map(Number), own = pairs.querySelector("svg");
      [[i, j], [j, i]].forEach(([a, b], slot) => {
        draw(own, slot, `${data.brief[a]} from ${data.brief[b]}`, data.pair_curves[name][`${a},${b}`]);
      });
      $("pair-name").textContent = `${name}: ${data.classes[i]} and ${data.classes[j]}, each by its own column`;
      pairs.hidden = false;
      pairs.scrollIntoView({ block: "nearest" });
    };
    for (const rect of document.querySelectorAll("rect[data-pair]")) {
      rect.addEventListener("click", () => open(rect.closest("figure").dataset.model, rect.dataset.pair));
    }
    for (const cell of document.querySelectorAll("td[data-pair]")) {
      cell.replaceChildren(button(cell.textContent, () => open(cell.dataset.model, cell.dataset.pair)));
    }
  }

  // Where style sheets cannot open what is folded, printing does.
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
})();
