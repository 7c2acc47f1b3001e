import { expect, test } from "bun:test";
import { createExpoAuth, type ExpoModules } from "../../src/kits/js/expo.ts";
import { idpEnvironment, idpKit, issuer } from "../contract/idp/idp.fixture.ts";
import type { Person } from "../support/auth.ts";
import { eventually } from "../support/log.ts";
import { stage } from "../support/stage.ts";

const redirectUri = "com.example.shop:/callback";
const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const phone = await kit.register("Shop", "--type", "native", "--redirect-uri", redirectUri);

/** Stands in for a device: its keychain and what it calls when an app comes to the front. Its browser is a real one's cookies. */
function device(person: Person) {
  const keychain = new Map<string, string>();
  const listeners = new Set<(state: string) => void>();
  let doesGiveUp = false;
  const modules: ExpoModules<"SHA-256"> = {
    Crypto: {
      CryptoDigestAlgorithm: { SHA256: "SHA-256" },
      getRandomValues: (bytes) => crypto.getRandomValues(bytes),
      digest: (algorithm, bytes) => crypto.subtle.digest(algorithm, bytes),
    },
    SecureStore: {
      getItemAsync: async (key) => keychain.get(key) ?? null,
      async setItemAsync(key, value) {
        if (!/^[\w.-]+$/.test(key) || value.length > 2_048) throw new Error("the keychain takes no such value");
        keychain.set(key, value);
      },
      deleteItemAsync: async (key) => void keychain.delete(key),
    },
    WebBrowser: {
      async openAuthSessionAsync(address, comesBackTo) {
        if (doesGiveUp) return { type: "cancel" };
        const answer = await person.client.get(address.slice(issuer.length));
        const url = answer.headers.get("location") ?? "";
        return url.startsWith(comesBackTo) ? { type: "success", url } : { type: "dismiss" };
      },
    },
    AppState: { addEventListener: (_event, listener) => listeners.add(listener) },
  };
  let requests = 0;
  /** Starts the app: what it held in memory before is gone. */
  function start() {
    const send = Object.assign(
      (input: string | URL | Request, init?: RequestInit) => {
        requests += 1;
        return kit.fetch(input, init);
      },
      { preconnect: () => undefined },
    );
    const auth = createExpoAuth({ baseUrl: issuer, clientId: phone.client_id, redirectUri, modules, fetch: send });
    auth.subscribe(() => undefined);
    const becomes = (status: string): Promise<void> => eventually(status, () => auth.get().status === status);
    return { ...auth, becomes };
  }
  return {
    start,
    keychain,
    requests: (): number => requests,
    giveUp: (): void => void (doesGiveUp = true),
    bringToFront: (): void => listeners.forEach((listener) => listener("active")),
  };
}

test("an app on a device signs in by the system's browser, and is signed in when it is started anew", async () => {
  const ada = await people.register("ada");
  const { start, keychain, requests } = device(ada);
  const app = start();
  await app.becomes("signed_out");
  expect(await app.signIn()).toEqual({ ok: true });
  await app.becomes("signed_in");
  expect(app.get().user).toMatchObject({ sub: ada.id, email: ada.email });
  const before = requests();
  expect(await app.getAccessToken()).toMatchObject({ ok: true });
  expect(requests()).toBe(before);
  const again = start();
  await again.becomes("signed_in");
  expect(again.get().user).toMatchObject({ sub: ada.id });
  expect(keychain.size).toBe(1);
});

test("Y-09 only the refresh token is stored, in the keychain; a sign-out ends it there and at the service", async () => {
  const { start, keychain } = device(await people.register("ada"));
  const app = start();
  await app.becomes("signed_out");
  await app.signIn();
  await app.becomes("signed_in");
  const access = await app.getAccessToken();
  if (!access.ok) throw new Error(access.error);
  const [stored = ""] = keychain.values();
  expect(stored).not.toContain("eyJ");
  expect((await kit.userinfo(access.accessToken)).status).toBe(200);
  expect(await app.signOut()).toMatchObject({ ok: true });
  expect(app.get()).toEqual({ status: "signed_out", user: null });
  expect(keychain.size).toBe(0);
  expect((await kit.userinfo(access.accessToken)).status).toBe(401);
});

test("a session that was ended elsewhere is over once the app is brought to the front", async () => {
  const ada = await people.register("ada");
  const { start, keychain, bringToFront } = device(ada);
  const app = start();
  await app.becomes("signed_out");
  await app.signIn();
  await app.becomes("signed_in");
  await ada.client.post("/api/v1/auth/logout-all");
  bringToFront();
  await app.becomes("signed_out");
  expect(keychain.size).toBe(0);
});

test("nobody is signed in where the person has given up", async () => {
  const { start, keychain, giveUp } = device(await people.register("ada"));
  giveUp();
  const app = start();
  expect(await app.signIn()).toMatchObject({ ok: false, code: "cancelled" });
  await app.becomes("signed_out");
  expect(keychain.size).toBe(0);
});
