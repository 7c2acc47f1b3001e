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
}
