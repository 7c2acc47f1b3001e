// Asks the browser for the passkey of a form, and sends the browser's answer with the form.
{
  const buttons = document.querySelectorAll("button[data-passkey]");
  const readers = { get: "parseRequestOptionsFromJSON", create: "parseCreationOptionsFromJSON" };
  const canAsk = window.PublicKeyCredential !== undefined && readers.get in PublicKeyCredential;
  let suggesting;

  const send = (form, credential) => {
    form.elements.credential.value = JSON.stringify(credential);
    form.submit();
  };

  const ask = (button, more) => {
    const { passkey, options } = button.dataset;
    return navigator.credentials[passkey]({
      publicKey: PublicKeyCredential[readers[passkey]](JSON.parse(options)),
      ...more,
    });
  };

  const suggest = async (button) => {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    suggesting = new AbortController();
    const { signal } = suggesting;
    // The wait ends without an answer when somebody uses the button, or the browser has nothing to suggest.
    const credential = await ask(button, { mediation: "conditional", signal }).catch(() => null);
    if (credential && !signal.aborted) send(button.form, credential);
  };

  // Browsers use a passkey only on pages of the domain that it was made for.
  const belongsHere = ({ dataset }) => {
    const { rpId, rp } = JSON.parse(dataset.options);
    return `.${location.hostname}`.endsWith(`.${rpId ?? rp.id}`);
  };

  for (const button of canAsk ? buttons : []) {
    if (!belongsHere(button)) continue;
    const { form } = button;
    const cancelled = form.querySelector("[data-cancelled]");
    button.hidden = false;
    form.querySelector("[data-unsupported]")?.remove();
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      suggesting?.abort();
      cancelled.hidden = true;
      button.disabled = true;
      try {
        send(form, await ask(button));
      } catch {
        cancelled.hidden = false;
        button.disabled = false;
        button.focus();
      }
    });
    if ("suggested" in button.dataset) void suggest(button);
  }
}
