// The table of a kind follows what is typed; without this module the form and its button do the same.

const form = document.querySelector("form.filters");
const WAIT_MS = 200;
let timer = 0;
let asked = null;

function address() {
  const filled = [...new FormData(form)].filter(([, text]) => text !== "");
  const query = new URLSearchParams(filled).toString();
  return query ? `${form.action}?${query}` : form.action;
}

async function refresh() {
  clearTimeout(timer);
  asked?.abort();
  asked = new AbortController();
  const url = address();
  const results = document.getElementById("results");
  try {
    const answer = await fetch(url, { signal: asked.signal, headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("results");
    if (!fresh) return form.submit();
    history.replaceState(null, "", url);
    // the status line stays in place, so that a change of its words is read out
    const status = results.querySelector("[role=status]");
    const words = fresh.querySelector("[role=status]").textContent;
    fresh.querySelector("[role=status]").replaceWith(status);
    results.replaceChildren(...fresh.childNodes);
    status.textContent = words;
    results.dispatchEvent(new Event("refreshed"));
  } catch (error) {
    if (error.name !== "AbortError") offline(results);
  }
}

// What is shown and what was typed stay; the note goes with the next answer.
function offline(results) {
  if (results.querySelector(".offline")) return;
  const note = document.createElement("div");
  note.className = "note warn slim offline";
  note.setAttribute("role", "alert");
  note.innerHTML = "<p>The server does not answer. The rows below are those of the last search; your entries are kept.</p>";
  results.prepend(note);
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(refresh, WAIT_MS);
}

// Whether something was chosen or typed before this module ran; its events are lost.
function isAhead() {
  const usual = (select) => ([...select.options].find((one) => one.defaultSelected) ?? select.options[0])?.value;
  return [...form.querySelectorAll("select")].some((select) => select.value !== usual(select))
    || [...form.querySelectorAll("[type=search]")].some((box) => box.value !== box.defaultValue);
}

if (form) {
  form.classList.add("is-live");
  form.addEventListener("input", (event) => event.target.matches("[type=search]") && later());
  form.addEventListener("change", (event) => event.target.matches("select, .ranges input") && refresh());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    refresh();
  });
  if (isAhead()) refresh();
}
document.querySelector(".kind-tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
