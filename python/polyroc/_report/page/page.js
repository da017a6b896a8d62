"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.documentElement.classList.add("script");
  const $ = (id) => document.getElementById(id);
  const ns = "http://www.w3.org/2000/svg";

  // Tables sort by the number of a cell, not by its text.
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, k) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = (row) => row.cells[k].dataset.value ?? row.cells[k].textContent;
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => {
          const [x, y] = [key(a), key(b)];
          const order = isNaN(x) || isNaN(y) ? String(x).localeCompare(String(y)) : x - y;
          return up ? order : -order;
        });
        table.tBodies[0].append(...rows);
      });
    });
  }

  // Every figure can be saved, with the colours it has here.
  const style = [...document.querySelectorAll("style")].map((one) => one.textContent).join("\n");
  for (const figure of document.querySelectorAll("figure")) {
    const svg = figure.querySelector("svg");
    if (!svg) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "tool";
    button.textContent = "Save as SVG";
    button.setAttribute("aria-label", "Save as SVG: " + svg.getAttribute("aria-label"));
    button.addEventListener("click", () => {
      const copy = svg.cloneNode(true);
      const inner = document.createElementNS(ns, "style");
      inner.textContent = style;
      copy.prepend(inner);
      const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = (figure.id || "figure") + ".svg";
      link.click();
      URL.revokeObjectURL(url);
    });
    figure.append(button);
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", () => {
      const area = $(button.dataset.copy);
      area.select();
      (navigator.clipboard ? navigator.clipboard.writeText(area.value) : Promise.reject()).catch(() => document.execCommand("copy"));
    });
  }

  // The threshold: one model and one class at a time.
  const size = 400, edge = 46, x = (rate) => edge + rate * size, y = (rate) => 8 + (1 - rate) * size;
  const wilson = (hits, all) => {
    if (!(all > 0)) return ["nan", ""];
    const z = data.z, p = hits / all, middle = (p + z * z / (2 * all)) / (1 + z * z / all);
    const half = z / (1 + z * z / all) * Math.sqrt(p * (1 - p) / all + z * z / (4 * all * all));
    return [p.toFixed(4), `${Math.max(0, middle - half).toFixed(4)} to ${Math.min(1, middle + half).toFixed(4)}`];
  };
  const slider = $("threshold");
  if (slider) {
    const model = $("slider-model"), label = $("slider-class"), svg = $("curves").querySelector("svg");
    const point = svg.querySelector("circle.point");
    const chosen = () => data.curves[model.value][label.value];
    const move = () => {
      const curve = chosen(), k = Number(slider.value);
      const tp = curve.tp[k], fp = curve.fp[k], fn = curve.p - tp, tn = curve.n - fp;
      $("threshold-value").textContent = curve.thresholds[k];
      slider.setAttribute("aria-valuetext", curve.thresholds[k]);
      const show = (id, value) => { $(id).textContent = Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(2); };
      show("tp", tp); show("fp", fp); show("fn", fn); show("tn", tn);
      for (const [id, hits, all] of [["sens", tp, curve.p], ["spec", tn, curve.n], ["ppv", tp, tp + fp], ["npv", tn, tn + fn]]) {
        const [value, limits] = wilson(hits, all);
        $(id).textContent = value;
        $(id + "-limits").textContent = limits;
      }
      point.setAttribute("cx", x(curve.fpr[k]));
      point.setAttribute("cy", y(curve.tpr[k]));
      point.setAttribute("visibility", "visible");
    };
    const draw = () => {
      const paths = [...svg.querySelectorAll("path.curve")];
      data.models.forEach((name, m) => {
        const curve = data.curves[name][label.value];
        if (paths[m]) paths[m].setAttribute("d", "M" + curve.fpr.map((rate, k) => `${x(rate).toFixed(1)} ${y(curve.tpr[k]).toFixed(1)}`).join("L"));
        const words = svg.querySelectorAll("text.tick");
        const legend = words[words.length - data.models.length + m];
        if (legend) legend.textContent = `${name}  ${curve.auc.toFixed(4)}`;
      });
    };
    const choose = () => {
      const curve = chosen();
      slider.max = curve.fpr.length - 1;
      let best = 0;
      curve.fpr.forEach((rate, k) => { if (curve.tpr[k] - rate > curve.tpr[best] - curve.fpr[best]) best = k; });
      slider.value = best;
      draw();
      move();
    };
    slider.addEventListener("input", move);
    model.addEventListener("change", choose);
    label.addEventListener("change", choose);
    svg.addEventListener("mousemove", (event) => {
      const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      const rate = ((event.clientX - box.left) * scale - edge) / size, height = 1 - ((event.clientY - box.top) * scale - 8) / size;
      const curve = chosen();
      let near = 0, least = Infinity;
      curve.fpr.forEach((one, k) => {
        const away = (one - rate) ** 2 + (curve.tpr[k] - height) ** 2;
        if (away < least) [least, near] = [away, k];
      });
      $("hover").textContent = `threshold ${curve.thresholds[near]}: FPR ${curve.fpr[near].toFixed(4)}, TPR ${curve.tpr[near].toFixed(4)}`;
    });
    choose();
  }

  // Click a pair of classes: its two curves.
  const shown = $("pair-curves");
  if (shown) {
    const show = (figure, pair) => {
      const model = figure.dataset.model, [i, j] = pair.split(",").map(Number), curves = data.pair_curves[model];
      if (!curves) return;
      const svg = shown.querySelector("svg"), paths = svg.querySelectorAll("path.curve");
      [`${i},${j}`, `${j},${i}`].forEach((key, k) => {
        const curve = curves[key];
        paths[k].setAttribute("d", "M" + curve.fpr.map((rate, at) => `${x(rate).toFixed(1)} ${y(curve.tpr[at]).toFixed(1)}`).join("L"));
        const words = svg.querySelectorAll("text.tick"), [a, b] = key.split(",").map(Number);
        words[words.length - 2 + k].textContent = `${data.classes[a]} | ${data.classes[b]}  ${curve.auc.toFixed(4)}`;
      });
      $("pair-name").textContent = `${model}: ${data.classes[i]} and ${data.classes[j]}`;
      shown.hidden = false;
    };
    for (const rect of document.querySelectorAll("rect[data-pair]")) {
      rect.addEventListener("click", () => { show(rect.closest("figure"), rect.dataset.pair); shown.scrollIntoView({ block: "nearest" }); });
    }
  }
})();
