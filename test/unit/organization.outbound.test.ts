import { afterAll, describe, expect, test } from "bun:test";
import { createGuardedOutbound } from "../../src/oauth/organization/guarded.outbound.ts";
import { createOutbound } from "../../src/webhook/index.ts";
import { systemClock } from "../../src/core/clock.ts";

let most = 0;
let running = 0;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    running += 1;
    most = Math.max(most, running);
    if (pathname === "/slow") await Bun.sleep(100);
    running -= 1;
    if (pathname === "/redirect") return Response.redirect("/plain", 302);
    if (pathname === "/large") return new Response("x".repeat(300 * 1024));
    if (pathname === "/refuses") return Response.json({ error: "invalid_grant" }, { status: 400 });
    return Response.json({ body: await request.text(), type: request.headers.get("content-type") });
  },
});
afterAll(() => server.stop(true));

const resolve = (host: string): Promise<readonly string[]> =>
  Promise.resolve({ "public.test": ["203.0.113.7"], "cloud.test": ["169.254.169.254"] }[host] ?? ["10.1.2.3"]);
const sender = (plainHttp: boolean) =>
  createGuardedOutbound({ call: createOutbound({ clock: systemClock, resolve, timeoutMs: 2_000 }), plainHttp });
const local = sender(true)("acme");
const url = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
const get = { method: "GET" } as const;

/** Answers nothing until the test is over, as a server that hangs. */
const over = Promise.withResolvers<Response>();
const hanging = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => over.promise });
afterAll(async () => {
  over.resolve(new Response());
  await hanging.stop(true);
});
const toHere = createOutbound({ clock: systemClock, resolve: () => Promise.resolve(["127.0.0.1"]), timeoutMs: 9_000 });

describe("the way out to the providers of organizations", () => {
  test("Z-32 reaches no private address, whatever the name is, and none without TLS", async () => {
    const send = sender(false)("acme");
    for (const at of [
      "https://inside.test/",
      "https://cloud.test/",
      "https://10.0.0.1/",
      "https://[::1]/",
      "https://127.0.0.1/",
    ])
      await expect(send(at, get)).rejects.toThrow(/provider_unreachable: its address is a private one/);
    await expect(send("http://public.test/", get)).rejects.toThrow(/provider_insecure_url/);
    await expect(send("ftp://public.test/", get)).rejects.toThrow(/provider_insecure_url/);
    // Where private addresses are allowed, those of clouds are not.
    await expect(local("http://cloud.test/", get)).rejects.toThrow(/provider_unreachable/);
  });

  test("Z-32 follows no redirect, reads no more than it can use, and hands on a refusal", async () => {
    await expect(local(url("/redirect"), get)).rejects.toThrow(/provider_redirected/);
    await expect(local(url("/large"), get)).rejects.toThrow(/provider_response_too_large/);
    expect(await local(url("/refuses"), get)).toEqual({ status: 400, text: '{"error":"invalid_grant"}' });
    const posted = await local(url("/plain"), { method: "POST", form: { code: "a b", x: "&" } });
    expect(JSON.parse(posted.text)).toMatchObject({ body: "code=a+b&x=%26" });
  });

  test("Z-93 organizations whose servers hang take no turn from another one, however many calls and servers they have", async () => {
    const sendFor = createGuardedOutbound({ call: toHere, plainHttp: true });
    const hung = Array.from({ length: 24 }, (_, at) =>
      Array.from({ length: 30 }, (_each, call) =>
        sendFor(`evil-${at}`)(`http://s${call}.evil${at % 3}.test:${hanging.port}/`, get).catch(() => undefined),
      ),
    );
    const begun = performance.now();
    const answer = await sendFor("acme")(`http://login.acme.test:${server.port}/plain`, get);
    expect(answer.status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(2_000);
    over.resolve(new Response());
    await Promise.all(hung.flat());
  }, 30_000);

  test("Z-93 on a server that several share, one that asks without end waits for itself", async () => {
    const sendFor = createGuardedOutbound({ call: toHere, plainHttp: true });
    const shared = `http://shared.test:${server.port}/slow`;
    const done: string[] = [];
    const ask = (organization: string) =>
      sendFor(organization)(shared, get).then(
        () => void done.push(organization),
        () => undefined,
      );
    const greedy = ["one", "two", "three"].flatMap((name) => Array.from({ length: 30 }, () => ask(name)));
    await Promise.all([ask("acme"), ...greedy]);
    expect(done.indexOf("acme")).toBeWithin(0, 9);
  });

  test("Z-32 asks one server four times at once at most", async () => {
    most = 0;
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => local(url("/slow"), get)));
    expect(most).toBe(4);
    expect(answers.filter(({ status }) => status === "rejected")).toHaveLength(4);
  });
});
