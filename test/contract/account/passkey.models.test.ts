import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { becomeClient, chromiumMissing, goTo } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { startAtLocalhost } from "./factors.fixture.ts";

/** The model that Chromium's own authenticator says it is. */
const chromium = "01020304-0506-0708-0102-030405060708";

/** Has somebody add a passkey where that model alone is taken. Resolves to what the page says then. */
async function addWhereTaken(model: string, says: string) {
  const shown = await startAtLocalhost({ AUTH_PASSKEY_ATTESTATION: "direct", AUTH_PASSKEY_AAGUIDS: model });
  try {
    const ada = await shown.stage.people.register("ada");
    const client = createClient(shown.url);
    await client.post(auth("login"), { login: ada.email, password: ada.password });
    await becomeClient(shown.tab, client);
    await goTo(shown.tab, `${shown.url}/account`);
    await shown.visitor.press("Add a passkey");
    await shown.visitor.says(says);
    await shown.visitor.expectNoBarriers(says);
    return shown.stage.rows.all("select aaguid from auth_passkeys");
  } finally {
    await shown.stop();
  }
}

describe.skipIf(chromiumMissing !== undefined)(
  `models of authenticators on the account page in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    test("M-94 a passkey of a model that is taken is added", async () => {
      expect(await addWhereTaken(chromium, "is added. Give it a name")).toEqual([{ aaguid: chromium }]);
    }, 120_000);

    test("M-94 the owner of another one is told so, and nothing is added", async () => {
      const others = "2fc0579f-8113-47ea-b116-bb5a8db9202a";
      expect(await addWhereTaken(others, "This service takes passkeys of certain security keys alone.")).toEqual([]);
    }, 120_000);
  },
);
