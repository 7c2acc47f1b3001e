import { render } from "preact";
import { App } from "./app.tsx";
import { AccountContext, createAccount } from "./context.ts";
import { readSettings } from "./settings.ts";

const root = document.querySelector<HTMLElement>("#app");
if (root !== null) {
  const account = createAccount(readSettings(root));
  root.replaceChildren();
  render(
    <AccountContext.Provider value={account}>
      <App />
    </AccountContext.Provider>,
    root,
  );

  // A page that the back button brings back as it was may be somebody's who has signed out since: the server is asked again.
  addEventListener("pageshow", ({ persisted }) => {
    const isPersonal = account.session.user.value !== undefined || account.router.place.value.path === "/account";
    if (!persisted || !isPersonal) return;
    root.hidden = true;
    location.reload();
  });
}
