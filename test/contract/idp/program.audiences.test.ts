import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { join } from "node:path";
import { packClient } from "../../../src/build/npm/client.ts";
import { createProgram, type ProgramOptions, type ProgramTokens } from "../../../src/client/oauth.ts";
import { createGate } from "../../../src/kits/js/gate.ts";
import { arrives, becomeClient, chromiumMissing, goTo, openPlainTab } from "../../support/chromium.ts";
import { sharedFolder } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { freePort } from "../../support/proxy.ts";
import { stage } from "../../support/stage.ts";
import { idpKit, providerOn } from "./idp.fixture.ts";

const port = freePort();
const issuer = `http://127.0.0.1:${port}`;
const { target, people } = await stage({ env: { ...providerOn, APP_URL: issuer, API_HTTP_PORT: String(port) } });
const kit = idpKit(target);

/** A resource server: an API of an app on an origin of its own, behind the gate. */
const apiPort = freePort();
const api = `http://127.0.0.1:${apiPort}/api`;
const gate = createGate({ baseUrl: target.url, publicUrl: issuer, resource: api });
const elsewhere: string[] = [];
const asked: (string | null)[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: apiPort,
  async fetch(request) {
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization" };
    if (request.method === "OPTIONS") return new Response(null, { headers: cors });
    asked.push(request.headers.get("authorization"));
    if (request.url.endsWith("/away")) return Response.redirect(`${thief.url.href}taken`, 307);
    const { user, response } = await gate(request);
    if (user === undefined) return new Response(response.body, { status: response.status, headers: cors });
    return Response.json({ of: user.id, program: user.program?.clientId }, { headers: cors });
  },
});
const thief = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => (elsewhere.push(url), new Response("taken")),
});
afterAll(() => Promise.all([server.stop(true), thief.stop(true)]));

const redirectUri = "com.example.shop:/callback";
const phone = await kit.register("Phone", "--type", "native", "--redirect-uri", redirectUri);

async function signedIn(more: Partial<ProgramOptions> = {}) {
  const ada = await people.register("ada");
  let kept: ProgramTokens | undefined;
  const swaps: string[] = [];
  const program = createProgram({
    baseUrl: issuer,
    clientId: phone.client_id,
    redirectUri,
    audiences: [api],
    storage: { load: () => kept, save: (tokens) => void (kept = tokens) },
    fetch: Object.assign(
      (input: string | URL | Request, init?: RequestInit) => {
        const url = input instanceof Request ? input.url : input.toString();
        if (url.endsWith("/oauth2/token")) swaps.push(url);
        return fetch(input, init);
      },
      { preconnect: () => undefined },
    ),
    ...more,
  });
  const visit = async (address: string) =>
    (await ada.client.get(address.slice(issuer.length))).headers.get("location") ?? "";
  expect(await program.signIn({ visit })).toMatchObject({ ok: true });
  swaps.length = 0;
  return { ada, program, swaps, kept: () => kept };
}

describe("a program with an API elsewhere", () => {
  test("gets a token for the API alone, once for all who ask, and keeps it out of its storage", async () => {
    const { program, swaps, kept } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 5 }, () => program.getToken({ audience: api })));
    const tokens = new Set(answers.map((answer) => (answer.ok ? answer.accessToken : answer.code)));
    expect([tokens.size, swaps.length]).toEqual([1, 1]);
    const [token = ""] = tokens;
    expect(decodeJwt(token).aud).toBe(api);
    expect(await program.getToken({ audience: api })).toEqual({ ok: true, accessToken: token });
    expect(swaps).toHaveLength(1);
    expect(JSON.stringify(kept())).not.toContain(token);
    expect(await program.getToken({ audience: `${api}/other` })).toMatchObject({ ok: false, code: "invalid_target" });
    expect(await program.getUser()).toMatchObject({ ok: true });
  });

  test("has its refresh tokens swapped one after another: nobody is taken for a thief", async () => {
    const { program, kept } = await signedIn({ audiences: [api, "https://other.example.test"] });
    const { accessToken } = kept() ?? {};
    const answers = await Promise.all([
      program.getToken({ audience: api }),
      program.getToken({ audience: "https://other.example.test" }),
      program.getToken({ audience: api }),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(kept()?.accessToken).toBe(accessToken ?? "");
    expect(await program.getToken({ audience: api })).toMatchObject({ ok: true });
  });

  test("sends its requests with that token, and once more with a new one after a 401", async () => {
    const { ada, program, swaps } = await signedIn();
    const send = () => program.fetch(`${api}/orders`, { method: "POST", body: "tea" });
    expect(await (await send()).json()).toEqual({ of: ada.id, program: phone.client_id });
    expect(swaps).toHaveLength(1);
    await ada.client.post("/api/v1/auth/apps/revoke", { client_id: phone.client_id });
    asked.length = 0;
    expect((await send()).status).toBe(401);
    // The second request has no token: the service has said that the sign-in is over.
    expect(asked).toEqual([expect.stringMatching(/^Bearer /), null]);
    expect(await program.getToken({ audience: api })).toMatchObject({ ok: false, code: "signed_out" });
  });

  test("Q-13 sends a token to the origin of its audience alone, and after no redirect", async () => {
    const { program } = await signedIn();
    await expect(program.fetch(`${thief.url.href}orders`)).rejects.toThrow("no audience");
    await expect(program.fetch(`${api}/away`, { redirect: "follow" })).rejects.toThrow();
    expect(elsewhere).toEqual([]);
  });

  test("Q-13 sends a token to the paths of its audience, where several share an origin", async () => {
    const [admin, deep] = [`${api}-admin`, `${api}/deep`];
    const { program } = await signedIn({ audiences: [api, admin, deep] });
    const sentTo = async (address: string) => {
      asked.length = 0;
      await program.fetch(address);
      const [token = ""] = asked;
      return decodeJwt(token?.slice("Bearer ".length) ?? "").aud;
    };
    expect(await sentTo(`${admin}/orders`)).toBe(admin);
    expect(await sentTo(`${deep}?page=2`)).toBe(deep);
    expect(await sentTo(`${api}/deeper`)).toBe(api);
    asked.length = 0;
    await expect(program.fetch(new URL("/of-somebody-else", api))).rejects.toThrow("no audience");
    expect(asked).toEqual([]);
  });

  test("keeps nothing that comes after a sign-out", async () => {
    const { program, kept } = await signedIn();
    const [, late] = await Promise.all([program.signOut(), program.getToken({ audience: api })]);
    expect(late).toMatchObject({ ok: false, code: "signed_out" });
    expect(kept()).toBeUndefined();
  });
});

describe.skipIf(chromiumMissing !== undefined)(
  `a page with its API elsewhere (${chromiumMissing ?? "Chromium"})`,
  () => {
    const folder = sharedFolder();
    let tab: Bun.WebView;
    let page: Bun.Server<undefined>;
    let clientId = "";
    beforeAll(async () => {
      await packClient(join(folder, "client"), "0.0.0");
      page = Bun.serve({
        hostname: "localhost",
        port: 0,
        fetch: ({ url }) =>
          new URL(url).pathname === "/oauth.js"
            ? new Response(Bun.file(join(folder, "client", "oauth.js")))
            : new Response(html(), { headers: { "content-type": "text/html" } }),
      });
      const redirect = `${page.url.origin}/signed-in`;
      clientId = (await kit.register("Page", "--type", "browser", "--redirect-uri", redirect)).client_id;
      tab = openPlainTab({ width: 800, height: 600 });
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await page.stop(true);
    });
    const html = (): string => `<!doctype html><title>A page</title><script type="module">
    import { createProgram } from "/oauth.js";
    window.auth = createProgram({
      baseUrl: "${issuer}", clientId: "${clientId}", redirectUri: location.origin + "/signed-in", audiences: ["${api}"],
    });
    window.landed = await auth.finishSignIn();
    window.isReady = true;
  </script>`;
    const ready = (): Promise<void> =>
      eventually("the page is ready", async () => (await tab.evaluate("window.isReady === true")) === true, 20_000);

    test("Q-14 leaves for the sign-in, comes back to where it was without the code, and calls its API", async () => {
      const ada = await people.register("ada");
      await becomeClient(tab, ada.client);
      await goTo(tab, `${page.url.origin}/orders?of=today#first`);
      await ready();
      expect(await tab.evaluate("window.landed === undefined")).toBe(true);
      expect(await tab.evaluate(`auth.getToken({ audience: "${api}" })`)).toMatchObject({ code: "signed_out" });
      await tab.evaluate("window.isReady = false, void auth.startSignIn()");
      await arrives(tab, ({ pathname }) => pathname === "/signed-in", 20_000);
      await ready();
      expect(await tab.evaluate("location.href")).toBe(`${page.url.origin}/orders?of=today#first`);
      expect(await tab.evaluate("[landed.ok, landed.returnTo]")).toEqual([true, "/orders?of=today#first"]);
      expect(await tab.evaluate(`auth.fetch("${api}/orders").then((answer) => answer.json())`)).toEqual({
        of: ada.id,
        program: clientId,
      });
      expect(await tab.evaluate("sessionStorage.length")).toBe(0);
    });

    test("Q-14 takes no answer that it has not asked for", async () => {
      for (const query of ["code=x&state=y", "error=access_denied&state=y"]) {
        await goTo(tab, `${page.url.origin}/signed-in?${query}&iss=${encodeURIComponent(issuer)}`);
        await ready();
        expect(await tab.evaluate("window.landed === undefined")).toBe(true);
      }
    });
  },
);
