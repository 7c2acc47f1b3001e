// Keeps the list of inspects up to date while somebody looks at it: fetches the same page and takes its rows over. Without this script the
// pages work the same, by reloading. A focused link keeps the focus, and a list that is out of date says so.
const everyMs = 2000;
const deadlineMs = 10_000;
const records = document.querySelector("[data-records]");
const live = document.querySelector("[data-live]");

const linksOf = (list) => [...list.querySelectorAll(".what a")];
const addressOf = (link) => link.getAttribute("href");

function keepUpToDate(label, state) {
  let shown = records.innerHTML;

  function replaceRows(next) {
    const known = new Set(linksOf(records).map(addressOf));
    const active = document.activeElement;
    const focused = active && records.contains(active) ? addressOf(active) : null;
    records.replaceChildren(...next.childNodes);
    for (const link of linksOf(records)) {
      if (!known.has(addressOf(link))) link.closest("tr").classList.add("fresh");
      if (focused !== null && addressOf(link) === focused) link.focus({ preventScroll: true });
    }
  }

  async function refresh() {
    if (!live.checked || document.hidden) return;
    const signal = AbortSignal.timeout(deadlineMs);
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, signal });
    if (answer.redirected) {
      location.reload();
      return;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector("[data-records]");
    if (!next || next.innerHTML === shown) return;
    shown = next.innerHTML;
    replaceRows(next);
  }

  function tell(isAnswered) {
    const words = isAnswered ? "Live" : "Live: no answer";
    // Screen readers would read a status again that is set again.
    if (state.textContent !== words) state.textContent = words;
    label.classList.toggle("silent", !isAnswered);
  }

  async function turn() {
    try {
      await refresh();
      tell(true);
    } catch {
      tell(false);
    }
    setTimeout(turn, everyMs);
  }

  label.hidden = false;
  setTimeout(turn, everyMs);
}

if (records && live) keepUpToDate(live.parentElement, live.parentElement.querySelector("span"));
