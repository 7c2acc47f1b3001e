/**
 * Keeps the list up to date while it is looked at: fetches the same page and takes its rows over. Without it the pages work
 * the same, by reloading. A part of the page that has the focus keeps it. A list that is not up to date says so.
 */
export const script = `
const records = document.querySelector("[data-records]");
const live = document.querySelector("[data-live]");
if (records && live) {
  live.parentElement.hidden = false;
  const everyMs = 2000;
  let shown = records.innerHTML;
  const refresh = async () => {
    if (!live.checked || document.hidden) return;
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(10000) });
    if (answer.redirected) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector("[data-records]");
    if (!next || next.innerHTML === shown) return;
    shown = next.innerHTML;
    const known = new Set([...records.querySelectorAll(".what a")].map((link) => link.getAttribute("href")));
    const focused = document.activeElement && records.contains(document.activeElement) && document.activeElement.getAttribute("href");
    records.replaceChildren(...next.childNodes);
    for (const link of records.querySelectorAll(".what a")) {
      if (!known.has(link.getAttribute("href"))) link.closest("tr").classList.add("fresh");
      if (focused && link.getAttribute("href") === focused) link.focus({ preventScroll: true });
    }
  };
  const tell = (answers) => {
    const words = answers ? "Live" : "Live: no answer";
    const state = live.parentElement.querySelector("span");
    if (state.textContent !== words) state.textContent = words;
    live.parentElement.classList.toggle("silent", !answers);
  };
  const again = () => setTimeout(() => refresh().then(() => tell(true), () => tell(false)).finally(again), everyMs);
  again();
}
`;
