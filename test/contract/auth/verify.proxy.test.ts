import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createClient, type Client } from "../../support/client.ts";
import { manual } from "../../support/manual.ts";
import { codeBlocks } from "../../support/markdown.ts";
import { startNginx, whyNoProxy, type Proxy } from "../../support/proxy.ts";
import { stage } from "../../support/stage.ts";
import { auth, claimsOf, secretsOf } from "../../support/auth.ts";

/** The manual's example runs in front of an app that answers with what it was told. */
const [example] = codeBlocks(manual, "nginx asks who is calling", "nginx");
const lack = whyNoProxy("nginx");

const app = "http://app.example.test";
const { target, rows, people } = await stage({
  env: { API_TRUSTED_PROXIES: "127.0.0.1/32", AUTH_ALLOWED_ORIGINS: app, APP_URL: "https://auth.example.test" },
});

describe.skipIf(lack !== undefined)(
  `behind nginx, as the manual says${lack === undefined ? "" : ` (needs ${lack})`}`,
  () => {
    let proxy: Proxy;
    const backend = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ headers }) =>
        Response.json(Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-auth-")))),
    });
    beforeAll(async () => {
      if (example === undefined) throw new Error("the manual has no such example");
      proxy = await startNginx(`
      upstream gatehouse { server 127.0.0.1:${target.port}; }
      upstream app { server 127.0.0.1:${backend.port}; }
      server { listen PORT; server_name app.example.test; ${example} }`);
    });
    afterAll(async () => {
      await proxy?.stop();
      await backend.stop(true);
    });

    /** Returns the browser as a client of the app behind the proxy. */
    function at(client: Client | undefined): Client {
      const there = createClient(`http://127.0.0.1:${proxy.port}`);
      if (client === undefined) return there;
      const { access, refresh } = secretsOf(client);
      there.setCookie("auth_access", access);
      there.setCookie("auth_refresh", refresh);
      return there;
    }
    const host = { host: "app.example.test" };

    test("V-14 the app is told who it is, whatever the method and whatever the client says itself", async () => {
      const ada = await people.register("ada");
      rows.run("update users set roles = 'editor' where id = ?", ada.id);
      const headers = {
        ...host,
        "x-auth-user-id": "1",
        "x-auth-roles": "admin",
        "x-auth-email": "eve@example.test",
        "content-type": "text/plain",
      };
      for (const method of ["GET", "POST", "DELETE"]) {
        const body = method === "GET" ? {} : { body: "x".repeat(10_000) };
        const answer = await at(ada.client).request(method, "/reports?x=1", undefined, { headers, ...body });
        expect({ method, status: answer.status, json: answer.json }).toEqual({
          method,
          status: 200,
          json: {
            "x-auth-user-id": ada.id,
            "x-auth-username": ada.username,
            "x-auth-email": ada.email,
            "x-auth-email-verified": "false",
            "x-auth-roles": "editor",
            "x-auth-acr": "aal1",
            "x-auth-time": String(claimsOf(secretsOf(ada.client).access)["auth_time"]),
            "x-auth-session-id": String((await ada.client.get(auth("sessions"))).at("sessions.0.id")),
          },
        });
      }
      await ada.client.post(auth("logout"));
      expect((await at(undefined).get("/reports", { headers })).status).toBe(401);
    });

    test("V-14 a new access cookie reaches the browser", async () => {
      const ada = await people.register("ada");
      const browser = at(ada.client);
      browser.deleteCookie("auth_access");
      const answer = await browser.get("/", { headers: host });
      expect({ status: answer.status, cookies: answer.setCookies.map(({ name }) => name) }).toEqual({
        status: 200,
        cookies: ["auth_access"],
      });
    });

    test("V-14 a stranger who navigates is sent to sign in, and back to the very page", async () => {
      const answer = await at(undefined).get("/reports?month=1&q=a%20b", {
        headers: {
          ...host,
          accept: "text/html",
          "x-original-url": "https://evil.example/",
          "x-forwarded-for": "1.2.3.4",
        },
      });
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe(
        `https://auth.example.test/login?next=${encodeURIComponent(`${app}/reports?month=1&q=a%20b`)}`,
      );
    });
  },
);
