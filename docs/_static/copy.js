// A button on every block of code. Of examples with prompts it copies what to type, not what comes of it.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  if (!navigator.clipboard && !document.queryCommandSupported?.("copy")) return;
  for (const block of document.querySelectorAll("article div.highlight pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const done = await put(typed(block.textContent));
      button.textContent = done ? "Copied" : "Select and copy by hand";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.parentElement.append(button);
  }
});

function typed(text) {
  if (!text.startsWith(">>> ")) return text;
  const lines = text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
  const code = [];
  lines.forEach((line, k) => {
    code.push(line.slice(4));
    // A prompt that ends a loop or a function here needs an empty line to end it there.
    if (line.startsWith("...") && (lines[k + 1] ?? "").startsWith(">>>")) code.push("");
  });
  return code.join("\n") + "\n";
}

// A page that was opened from disk may have no clipboard of the newer kind.
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
