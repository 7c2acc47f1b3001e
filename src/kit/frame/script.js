// Shows times in the zone of the browser where the server does not know the reader's zone, and counts down the time to wait. Without this
// script the pages show the times in UTC.
const tag = document.documentElement.lang;

for (const time of document.querySelectorAll("time[data-local]")) {
  const at = new Date(time.dateTime);
  time.textContent = new Intl.DateTimeFormat(tag, { hour: "numeric", minute: "2-digit" }).format(at);
}

const waiting = document.querySelector("[data-until]");

if (waiting) {
  const until = Date.parse(waiting.dataset.until);
  const left = waiting.querySelector(".countdown");
  const submit = document.querySelector(".card button.primary");
  const show = () => {
    const seconds = Math.ceil((until - Date.now()) / 1000);
    if (seconds > 0) {
      const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      left.textContent = left.dataset.words.replace("{clock}", clock);
      setTimeout(show, 250);
      return;
    }
    waiting.className = "notice good";
    waiting.replaceChildren(waiting.dataset.awake);
    if (submit) submit.removeAttribute("aria-disabled");
  };
  left.hidden = false;
  show();
}
