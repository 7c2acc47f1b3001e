import { describe, expect, test } from "bun:test";
import { createGate, type GateNeeds, type GateUser } from "../../src/kits/js/gate.ts";
import { auth, secretsOf, type Person } from "../support/auth.ts";
import { startCounted } from "./kits.fixture.ts";
import { stage } from "../support/stage.ts";

const { target, rows, people } = await stage({ env: { ORGANIZATIONS_ENABLED: "true" } });
const way = startCounted(target.url);
const gate = createGate({ baseUrl: way.url });

const page = "https://app.example.com/orders?of=today";
const cookieOf = ({ client }: Person): string => {
  const { access, refresh } = secretsOf(client);
  return `theme=dark; auth_access=${access}; auth_refresh=${refresh}; other=1`;
};
const requestOf = (cookie: string, init: { method?: string; headers?: Record<string, string> } = {}): Request =>
  new Request(page, { ...init, headers: { ...(cookie !== "" && { cookie }), ...init.headers } });
/** What the browser still has once the access cookie has run out. */
const expiredOf = ({ client }: Person): string => `auth_refresh=${secretsOf(client).refresh}`;

async function userOf(request: Request, needs?: GateNeeds & { optional?: false }): Promise<GateUser> {
  const { user, response } = await gate(request, needs);
  if (user === undefined) throw new Error(`refused: ${response.status} ${await response.text()}`);
  return user;
}
async function refusalOf(request: Request, needs: GateNeeds = {}) {
  const { response } = await gate(request, needs);
  if (response === undefined) throw new Error("let through");
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

describe("the gate tells who is calling", () => {
  test("by cookies, as Gatehouse knows the person", async () => {
    const ada = await people.register("ada");
    const { user, headers } = await gate(requestOf(cookieOf(ada)));
    expect(user).toMatchObject({ id: ada.id, username: ada.username, email: ada.email, roles: [], organization: null });
    expect(headers?.get("cache-control")).toBe("private, no-store");
    expect(headers?.getSetCookie()).toEqual([]);
  });

  test("Q-09 by a bearer token, whatever cookies come with it", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const headers = { authorization: `Bearer ${secretsOf(ada.client).access}` };
    expect(await userOf(requestOf(cookieOf(grace), { headers }))).toMatchObject({ id: ada.id });
    // A bad token is nobody's, though the cookies are somebody's.
    const bad = requestOf(cookieOf(grace), { headers: { authorization: "Bearer x" } });
    expect(await refusalOf(bad)).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  });

  test("Q-09 and sends Gatehouse no cookie of the app's own", async () => {
    const ada = await people.register("ada");
    await gate(requestOf(cookieOf(ada)));
    expect(way.last()?.get("cookie")).not.toMatch(/theme|other/);
    expect(way.last()?.get("cookie")).toMatch(/^auth_access=\S+; auth_refresh=\S+$/);
  });

  test("Q-01 with a new cookie to hand on where the old one has run out, and no sign-in is lost", async () => {
    const ada = await people.register("ada");
    const { user, headers } = await gate(requestOf(expiredOf(ada)));
    expect(user?.id).toBe(ada.id);
    expect(headers?.getSetCookie()).toEqual([expect.stringMatching(/^auth_access=[^;]+;.*HttpOnly/)]);
    expect(headers?.get("cache-control")).toBe("private, no-store");
  });

  test("to strangers nothing, without asking", async () => {
    const asked = way.count();
    const { status, headers, body } = await refusalOf(requestOf("theme=dark"));
    expect({ status, body }).toEqual({ status: 401, body: { ok: false, error: "unauthorized", code: "unauthorized" } });
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect(await gate(requestOf(""), { optional: true })).toMatchObject({ user: null });
    expect(way.count()).toBe(asked);
  });
});

describe("what is needed", () => {
  test("is asked of Gatehouse: roles, a verified address, organizations", async () => {
    const ada = await people.register("ada");
    const request = (): Request => requestOf(cookieOf(ada));
    for (const needs of [{ role: "editor" }, { org: ada.id }, { org: "engines" }, { orgRole: "owner" }])
      expect(await refusalOf(request(), needs)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    rows.run("update users set roles = 'editor' where id = ?", ada.id);
    expect(await userOf(request(), { role: "editor" })).toMatchObject({ roles: ["editor"] });
    const made = await ada.client.post(auth("organizations"), { name: "Engines" });
    const org = made.textAt("organization.id");
    await ada.client.post(auth("organizations/switch"), { id: org });
    const { organization } = await userOf(request(), { org, orgRole: "owner" });
    expect(organization).toMatchObject({ id: org, roles: ["owner"] });
  });

  test.each([
    { role: "Editor" },
    { role: undefined },
    { org: undefined },
    { orgRole: "" },
    { roles: ["editor"] },
    { maxAge: -1 },
    Promise.resolve({ role: "editor" }),
  ])("Q-08 is refused where it is mistyped, and opens nothing: %j", async (needs) => {
    const ada = await people.register("ada");
    // @ts-expect-error a program without types may hand it over
    await expect(gate(requestOf(cookieOf(ada)), needs)).rejects.toThrow(
      /^The gate (?:does not understand the need|needs no promise)/,
    );
  });

  test("leads a person who opens a page to sign in, and no script", async () => {
    const headers = { accept: "text/html", "sec-fetch-mode": "navigate" };
    const { response } = await gate(requestOf("", { headers }), { signIn: true });
    expect(response?.status).toBe(303);
    expect(response?.headers.get("location")).toBe(`${way.url}/login?next=${encodeURIComponent(page)}`);
    expect(await refusalOf(requestOf(""), { signIn: true })).toMatchObject({ status: 401 });
    const atHome = createGate({ baseUrl: way.url, publicUrl: "https://app.example.com" });
    const led = await atHome(requestOf("", { headers }), { signIn: true });
    expect(led.response?.headers.get("location")).toBe("https://app.example.com/login?next=%2Forders%3Fof%3Dtoday");
  });
});

test.each(["//[", "//evil.example/x", "http://a b/x", "http://[::1/", "*", ""])(
  "Q-18 a request for %j is answered as any other: who sends it ends no app",
  async (url) => {
    const home = "https://app.example.com";
    const strict = createGate({ baseUrl: way.url, resource: `${home}/api`, appUrl: home });
    const headers = new Headers({ accept: "text/html", "sec-fetch-mode": "navigate" });
    const { response } = await strict({ method: "GET", url, headers }, { signIn: true });
    expect(response?.status).toBe(303);
    const next = new URL(response?.headers.get("location") ?? "").searchParams.get("next") ?? "";
    expect(new URL(next).origin).toBe(home);
    expect((await strict({ method: "POST", url, headers })).response?.status).toBe(401);
  },
);

describe("questions at the same time", () => {
  test("Q-02 give each request a person of its own, to which an app may add what is of that request alone", async () => {
    const ada = await people.register("ada");
    const [one, other] = await Promise.all([userOf(requestOf(cookieOf(ada))), userOf(requestOf(cookieOf(ada)))]);
    Object.assign(one, { project: "of the first request" });
    expect(other).not.toHaveProperty("project");
    expect(other.id).toBe(ada.id);
  });

  test("Q-02 about one page are one question, and the next page asks again", async () => {
    const ada = await people.register("ada");
    const asked = way.count();
    const request = requestOf(expiredOf(ada));
    const loaders = Array.from({ length: 10 }, async (_, index) => {
      for (let step = 0; step < index; step += 1) await Promise.resolve();
      // Half of them were given a request of their own, as some frameworks do.
      return userOf(index % 2 === 0 ? request : requestOf(expiredOf(ada)));
    });
    const found = await Promise.all(loaders);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set([ada.id]));
    expect(way.count()).toBe(asked + 1);
    await userOf(request);
    expect(way.count()).toBe(asked + 2);
  });

  test("with other credentials or needs are not", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const request = requestOf(cookieOf(ada));
    const [one, other, refused] = await Promise.all([
      userOf(request),
      userOf(requestOf(cookieOf(grace))),
      refusalOf(request, { role: "admin" }),
    ]);
    expect([one.id, other.id, refused.status]).toEqual([ada.id, grace.id, 403]);
  });

  test("Q-02 tell a request nothing that was asked before it came: a sign-out counts at the next one", async () => {
    const ada = await people.register("ada");
    const [cookie, held] = [cookieOf(ada), way.holdBack()];
    const before = gate(requestOf(cookie));
    await held.arrived;
    await ada.client.post(auth("logout"));
    expect(await refusalOf(requestOf(cookie))).toMatchObject({ status: 401 });
    held.release();
    expect((await before).user?.id).toBe(ada.id);
  });
});

describe("Q-03 a page of another site", () => {
  const unsafe = (headers: Record<string, string>, cookie: string): Request =>
    requestOf(cookie, { method: "POST", headers: { host: "app.example.com", ...headers } });

  test.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "https://blog.example.com" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "https://app.example.com.evil.example" },
  ])("changes nothing in the name of whoever is signed in: %j", async (headers) => {
    const ada = await people.register("ada");
    expect(await refusalOf(unsafe(headers, cookieOf(ada)))).toMatchObject({
      status: 403,
      body: { code: "cross_site_request" },
    });
    expect(await refusalOf(unsafe(headers, cookieOf(ada)), { optional: true })).toMatchObject({ status: 403 });
    // Without cookies of a person there is nobody to speak for.
    expect(await gate(unsafe(headers, ""), { optional: true })).toMatchObject({ user: null });
  });

  test.each([
    { "sec-fetch-site": "same-origin" },
    { origin: "https://app.example.com" },
    { origin: "https://www.example.com", "sec-fetch-site": "same-site" },
    {},
  ])("is not this one: %j", async (headers: Record<string, string>) => {
    const ada = await people.register("ada");
    const open = createGate({ baseUrl: way.url, origins: ["https://www.example.com"] });
    expect((await open(unsafe(headers, cookieOf(ada)))).user?.id).toBe(ada.id);
  });

  test("opens no web socket in their name, and may read with a token of its own", async () => {
    const ada = await people.register("ada");
    const headers = { "sec-fetch-site": "same-site", origin: "https://blog.example.com" };
    const socket = requestOf(cookieOf(ada), { headers: { ...headers, upgrade: "websocket" } });
    expect(await refusalOf(socket)).toMatchObject({ status: 403 });
    const authorization = `Bearer ${secretsOf(ada.client).access}`;
    expect((await gate(unsafe({ ...headers, authorization }, cookieOf(ada)))).user?.id).toBe(ada.id);
  });
});

test.each([{}, { "x-auth-user-id": "root" }, { "x-auth-user-id": "-" }])(
  "Q-06 whoever answers under the address of Gatehouse and names nobody lets nobody in: %j",
  async (headers: Record<string, string>) => {
    const told = createGate({ baseUrl: way.url, fetch: async () => new Response(null, { status: 204, headers }) });
    const { user, response } = await told(requestOf("auth_access=x"));
    expect([user, response?.status]).toEqual([undefined, 503]);
  },
);

describe("a gate with a resource", () => {
  const guarded = createGate({ baseUrl: way.url, resource: "https://api.example.com" });
  const describing = (url: string, method = "GET"): Response | undefined =>
    guarded.protectedResource(new Request(url, { method }));

  test("describes it to a request that asks for that, and to no other", async () => {
    const path = "https://api.example.com/.well-known/oauth-protected-resource";
    expect(await describing(path)?.json()).toEqual({
      resource: "https://api.example.com",
      authorization_servers: [way.url],
      bearer_methods_supported: ["header"],
    });
    expect((await guarded(new Request(path))).response?.status).toBe(200);
    for (const url of [`${path}/mcp`, "https://api.example.com/", `https://api.example.com/?to=${path}`])
      expect(describing(url)).toBeUndefined();
    expect(gate.protectedResource(new Request(path))).toBeUndefined();
  });
});
