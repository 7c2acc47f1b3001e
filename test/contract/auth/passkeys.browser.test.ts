import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, calm } from "../../support/auth.ts";
import {
  addAuthenticator,
  askBrowser,
  becomeClient,
  type BrowserAuthenticator,
  chromiumMissing,
  goTo,
  openPlainTab,
} from "../../support/chromium.ts";
import { createClient, type Client } from "../../support/client.ts";
import { startTarget, type Target } from "../../support/target.ts";

/** A page with the script that makes passkeys and signs in with them. */
const page = `<!doctype html><title>A page of the service</title><input autocomplete="username webauthn"><script>
  const post = async (path, body = {}) => {
    const answer = await fetch("${auth("passkeys/")}" + path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    return answer.json();
  };
  const named = (error) => { if (error instanceof DOMException) return { code: error.name }; throw error; };
  const ways = {
    async add(change = {}) {
      const { code, options } = await post("register/options");
      if (code !== undefined) return { code };
      const publicKey = { ...PublicKeyCredential.parseCreationOptionsFromJSON(options), ...change };
      const made = await navigator.credentials.create({ publicKey });
      return post("register/verify", { credential: made.toJSON() });
    },
    async signIn(more = {}) {
      const { code, options } = await post("login/options");
      if (code !== undefined) return { code };
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const shown = await navigator.credentials.get({ publicKey, ...more });
      const credential = shown.toJSON();
      globalThis.shown = credential;
      return post("login/verify", { credential });
    },
    again: () => post("login/verify", { credential: globalThis.shown }),
  };
  const act = (way, change) => ways[way](change).catch(named).then(JSON.stringify);
</script>`;

describe.skipIf(chromiumMissing !== undefined)(
  `passkeys in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let target: Target;
    let front: Bun.Server<undefined>;
    let stranger: Bun.Server<undefined>;
    /** Another page of the same machine whose server hides from the service where it is. */
    let hiding: Bun.Server<undefined>;
    let ada: Client;
    let tab: Bun.WebView;
    let authenticator: BrowserAuthenticator;

    const serve = (hides = false) =>
      Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        async fetch({ url, method, headers, body }) {
          const { pathname } = new URL(url);
          if (pathname === "/page") return new Response(page, { headers: { "content-type": "text/html" } });
          if (hides) headers.delete("origin");
          return fetch(`${target.url}${pathname}`, { method, headers, body, redirect: "manual" });
        },
      });

    beforeAll(async () => {
      // The page and the service share one origin, whose port is known before the service starts.
      [front, stranger, hiding] = [serve(), serve(), serve(true)];
      target = await startTarget({ env: { ...calm, APP_URL: `http://localhost:${front.port}` }, shared: true });
      ada = createClient(`http://localhost:${front.port}`);
      await ada.post(auth("register"), { email: "ada@example.test", password: "a long walk by the sea" });
      tab = openPlainTab({ width: 400, height: 400 });
      await becomeClient(tab, ada);
      await goTo(tab, `http://localhost:${front.port}/page`);
      authenticator = await addAuthenticator(tab);
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await front.stop(true);
      await stranger.stop(true);
      await hiding.stop(true);
      await target.stop();
    });

    async function act(way: "add" | "signIn" | "again", change = ""): Promise<Record<string, unknown>> {
      const answer: unknown = JSON.parse(String(await tab.evaluate(`act("${way}", ${change || "undefined"})`)));
      return Object(answer);
    }
    const isSignedIn = async (): Promise<unknown> => tab.evaluate(`fetch("${auth("me")}").then(({ ok }) => ok)`);
    const forget = () => askBrowser(tab, "Network.clearBrowserCookies");

    test("M-32 one is made that signs in without a name, and once for each challenge", async () => {
      expect(await act("add")).toMatchObject({ ok: true, passkey: { name: "Linux · Chrome", rp_id: "localhost" } });
      expect(await authenticator.passkeys()).toMatchObject([{ rpId: "localhost", isResidentCredential: true }]);
      // The authenticator holds a passkey of the account already.
      expect(await act("add")).toEqual({ code: "InvalidStateError" });
      await forget();
      expect(await isSignedIn()).toBe(false);
      expect(await act("signIn")).toMatchObject({ ok: true, user: { email: "ada@example.test" } });
      expect(await isSignedIn()).toBe(true);
      expect(await act("again")).toMatchObject({ ok: false, code: "invalid_challenge" });
    });

    test("the browser offers it where a name is asked for", async () => {
      await forget();
      expect(await act("signIn", `{ mediation: "conditional" }`)).toMatchObject({ ok: true });
      expect(await isSignedIn()).toBe(true);
    });

    test("M-32 nothing is signed for somebody with another finger", async () => {
      await forget();
      await authenticator.setVerified(false);
      expect(await act("signIn")).toEqual({ code: "NotAllowedError" });
      await authenticator.setVerified(true);
      expect(await isSignedIn()).toBe(false);
    });

    test("M-34 a copy from before signs nobody in", async () => {
      const [copy] = await authenticator.passkeys();
      if (copy === undefined) throw new Error("the authenticator holds nothing");
      expect(await act("signIn")).toMatchObject({ ok: true });
      expect(await act("signIn")).toMatchObject({ ok: true });
      await forget();
      await authenticator.putBack(copy);
      expect(await act("signIn")).toMatchObject({ ok: false, code: "invalid_credentials" });
      expect(await isSignedIn()).toBe(false);
      await authenticator.putBack({ ...copy, signCount: copy.signCount + 100 });
    });

    test("M-32 another page of the same machine gets a signature, which is not taken", async () => {
      await goTo(tab, `http://localhost:${hiding.port}/page`);
      expect(await act("signIn")).toMatchObject({ ok: false, code: "invalid_credentials" });
      await goTo(tab, `http://localhost:${front.port}/page`);
      expect(await act("signIn")).toMatchObject({ ok: true });
    });

    test("M-32 a page that could not use it is told so before its device is asked", async () => {
      const before = await authenticator.passkeys();
      await goTo(tab, `http://localhost:${stranger.port}/page`);
      for (const way of ["add", "signIn"] as const) expect(await act(way)).toEqual({ code: "passkey_origin" });
      // Nobody is signed in under this name.
      await goTo(tab, `http://127.0.0.1:${stranger.port}/page`);
      expect(await act("signIn")).toEqual({ code: "passkey_origin" });
      expect(await authenticator.passkeys()).toEqual(before);
    });
  },
);
