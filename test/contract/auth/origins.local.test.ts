import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

const lighthouse = "the secret of the operators of this test";
const { target, browser } = await stage({
  env: { APP_ENV: "local", AUTH_ALLOWED_ORIGINS: "http://app.example.test:5173", LIGHTHOUSE_SECRET: lighthouse },
});

/** Origins of pages of this machine, as browsers write them. */
const near = [
  "http://localhost:5173",
  "http://localhost",
  "http://127.0.0.1:8080",
  "http://127.8.9.10:1",
  "http://[::1]:5173",
];
/** Origins that look like those, or that a stranger can have. */
const far = [
  "null",
  "https://localhost:5173",
  "http://localhost.evil.test:5173",
  "http://evil-localhost:5173",
  "http://evil.localhost:5173",
  "http://127.0.0.1.evil.test",
  "http://127.0.0.1@evil.test",
  "http://localhost:5173/",
  "http://localhost:5173, http://evil.test",
  "http://LOCALHOST:5173",
  "http://0.0.0.0:5173",
  "http://192.168.1.7:5173",
  "http://evil.test:5173",
  "file://",
];

/** A page whose own server passes the request on, with Host as the service has it. */
const proxied = (origin: string) => ({ origin, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" });
/** A page that calls the service itself. */
const direct = (origin: string) => ({ origin, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" });
const post = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
  browser().post(auth("logout"), {}, { headers });
const codeOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer).at("code");
const readableBy = ({ headers }: Answer): unknown => headers.get("access-control-allow-origin");

describe("X-87 with APP_ENV=local", () => {
  test.each(near)("a page of %s is the service's own, behind a proxy and beside it", async (origin) => {
    expect(await codeOf(post(proxied(origin)))).toBe("unauthorized");
    const answer = await post(direct(origin));
    expect([answer.at("code"), readableBy(answer)]).toEqual(["unauthorized", origin]);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
    const asked = await browser().request("OPTIONS", auth("login"), undefined, {
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
    expect([asked.status, readableBy(asked)]).toEqual([204, origin]);
  });

  test("a page beside it changes something by JSON alone", async () => {
    const headers = { ...direct("http://localhost:5173"), "content-type": "text/plain" };
    const answer = await browser().post(auth("login"), undefined, { headers, body: "{}" });
    expect(answer.at("code")).toBe("cross_site_request");
  });

  test.each(far)("%p is none of this machine", async (origin) => {
    for (const headers of [proxied(origin), direct(origin)]) {
      const answer = await post(headers);
      expect([answer.status, answer.at("code"), readableBy(answer)]).toEqual([403, "cross_site_request", null]);
    }
  });

  test("a name that a stranger makes resolve to this machine is not own, though Host has it; an address is", async () => {
    const from = (host: string) => ({ ...proxied(`http://${host}`), host });
    expect(await codeOf(post(from(`rebound.evil.test:${target.port}`)))).toBe("cross_site_request");
    expect(await codeOf(post(from("192.168.1.7:3000")))).toBe("unauthorized");
  });

  test("a sandboxed page of this machine is nobody's", async () => {
    expect(await codeOf(post({ origin: "null", "sec-fetch-site": "cross-site" }))).toBe("cross_site_request");
  });
});

test("X-87 elsewhere a page of this machine is as foreign as any other", async () => {
  const other = await startTarget({ shared: true });
  try {
    for (const origin of near) {
      const answer = await createClient(other.url).post(auth("logout"), {}, { headers: proxied(origin) });
      expect([answer.at("code"), readableBy(answer)]).toEqual(["cross_site_request", null]);
    }
  } finally {
    await other.stop();
  }
});

describe("X-88 a refused origin is named, with what lets it in,", () => {
  const origin = "http://192.168.1.7:5173";

  test("to its page", async () => {
    const behind = await post(proxied(origin));
    expect(behind.at("detail")).toBe(
      `Its page is of ${origin}, which may not call this service: AUTH_ALLOWED_ORIGINS=${origin} lets it, as APP_URL does where the service is at that address.`,
    );
    expect((await post(direct(origin))).at("detail")).toBe(
      `Its page is of ${origin}, which may not call this service: AUTH_ALLOWED_ORIGINS=${origin} lets it.`,
    );
    const page = await browser().post("/oauth2/device", undefined, { headers: proxied(origin), body: "user_code=x" });
    expect(page.at("detail")).toBe(`Its page is of ${origin}, and only pages of http://localhost:0 may send this.`);
  });

  test("unless it is no origin of a page", async () => {
    for (const sent of [
      "null",
      "<script>alert(1)</script>",
      "http://evil.test\\@localhost",
      `http://${"a".repeat(400)}.test`,
    ])
      expect((await post({ origin: sent })).at("detail")).toBe(
        "Its page has no http or https origin that could be allowed: sandboxed frames, files and some redirects send null.",
      );
  });

  test("once in the log, which strangers can't fill", async () => {
    const lines = () =>
      target
        .logs()
        .split("\n")
        .filter((line) => line.includes("a page of another origin was refused"));
    const one = "http://one.evil.test:5173";
    await post(direct(one));
    await post(direct(one));
    expect(lines().filter((line) => line.includes(one))).toHaveLength(1);
    expect(lines().find((line) => line.includes(one))).toContain("AUTH_ALLOWED_ORIGINS");
    for (let at = 0; at < 40; at += 1) await post(direct(`http://${at}.evil.test`));
    expect(lines().length).toBeLessThanOrEqual(16);
  });

  test("in Lighthouse, a preflight as well, after which the page sends nothing", async () => {
    const seen = "http://seen.evil.test";
    const headers = { origin: seen, "access-control-request-method": "POST" };
    expect((await browser().request("OPTIONS", auth("login"), undefined, { headers })).status).toBe(405);
    const read = { headers: { authorization: `Bearer ${lighthouse}` } };
    await eventually("the inspect of the preflight", async () => {
      const found = await browser().get("/lighthouse/api/inspects?limit=5", read);
      const ids = [...found.text.matchAll(/"trace_id":"([^"]+)"/g)].map(([, id]) => id);
      const texts = await Promise.all(ids.map((id) => browser().get(`/lighthouse/api/inspects/${id}`, read)));
      return texts.some(
        ({ text }) => text.includes(`AUTH_ALLOWED_ORIGINS=${seen}`) && text.includes("cross_site_request"),
      );
    });
  });
});
