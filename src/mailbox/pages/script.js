"use strict";
{
  const frame = document.querySelector("iframe");
  const said = document.querySelector("#said");

  /** Makes the frame as high as the mail in it, so that nothing of it is cut off. */
  function fit() {
    const mail = frame.contentDocument?.documentElement;
    if (!mail || frame.clientWidth === 0) return;
    const height = Math.ceil(mail.getBoundingClientRect().height) + frame.offsetHeight - frame.clientHeight;
    frame.style.height = `${height}px`;
  }

  if (frame) {
    frame.addEventListener("load", fit);
    let width = 0;
    new ResizeObserver(() => {
      if (frame.clientWidth === width) return;
      width = frame.clientWidth;
      fit();
    }).observe(frame);
    fit();
  }

  function say(text) {
    said.textContent = text;
  }

  addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-copy]");
    if (!button) return;
    navigator.clipboard.writeText(button.dataset.copy).then(
      () => {
        say("Copied");
        button.classList.add("copied");
        setTimeout(() => button.classList.remove("copied"), 2000);
      },
      () => {
        say("This browser does not let a page copy: select the text instead.");
        said.classList.remove("unseen");
      },
    );
  });
}
