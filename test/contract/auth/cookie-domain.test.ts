import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAuthCookies } from "../../../src/auth/routes/session/cookies.ts";
import { createDeviceProofs } from "../../../src/auth/pressure/device.proof.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createRequestFacts, type ResponseHead } from "../../../src/http/index.ts";
import { auth, calm, createPeople, jwtSecret, minute, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { createJar, type Jar } from "../../support/cookie.jar.ts";
import { stage } from "../../support/stage.ts";
import { startTarget, type Target } from "../../support/target.ts";

const APP_URL = "https://id.auth.example.test";
const host = "id.auth.example.test";

/** One database serves targets with each setting of the domain, as if an operator changed it. */
const { target: hostOnly } = await stage({ env: { APP_URL } });
let served: Readonly<Record<string, Target>>;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  const open = (AUTH_COOKIE_DOMAIN: string): Promise<Target> =>
    startTarget({
      env: { ...calm, APP_URL, DB_DATABASE: hostOnly.databasePath, AUTH_COOKIE_DOMAIN },
      roles: ["http"],
      migrate: false,
      shared: true,
    });
  served = {
    "": hostOnly,
    "example.test": await open("Example.TEST"),
    "auth.example.test": await open("auth.example.test"),
    [host]: await open(host),
  };
  people = createPeople(hostOnly.url);
});
afterAll(async () => {
  for (const target of Object.values(served)) if (target !== hostOnly) await target.stop();
});

/** Sends a request of the browser with this jar to the service with that domain. */
async function ask(jar: Jar, domain: string, route: string, json?: unknown): Promise<Answer> {
  const client = createClient(served[domain]?.url ?? "");
  const method = route === "me" ? "GET" : "POST";
  const cookie = jar.header();
  const answer = await client.request(method, auth(route), json, { headers: cookie === "" ? {} : { cookie } });
  jar.store(answer.setCookies);
  return answer;
}

async function signIn(jar: Jar, domain: string, { email, password }: Person): Promise<void> {
  expect((await ask(jar, domain, "login", { login: email, password })).status).toBe(200);
}

const domainsIn = (answer: Answer): string[] =>
  answer.setCookies.map(({ name, attributes }) => `${name} ${attributes.get("domain") ?? ""}`.trim()).toSorted();

describe("X-81 with AUTH_COOKIE_DOMAIN", () => {
  test("the cookies of the session carry the domain, and the device's does not", async () => {
    const jar = createJar(host);
    const ada = await people.register("ada");
    const answer = await ask(jar, "example.test", "login", { login: ada.email, password: ada.password });
    expect(domainsIn(answer)).toEqual(["auth_access example.test", "auth_device", "auth_refresh example.test"]);
    for (const { attributes } of answer.setCookies)
      expect([attributes.get("samesite"), attributes.has("httponly"), attributes.get("path")]).toEqual([
        "Lax",
        true,
        "/",
      ]);
    expect(domainsIn(await ask(jar, "example.test", "refresh"))).toEqual([
      "auth_access example.test",
      "auth_refresh example.test",
    ]);
  });

  test("a logout removes them with and without it", async () => {
    const jar = createJar(host);
    await signIn(jar, "example.test", await people.register("ada"));
    const answer = await ask(jar, "example.test", "logout");
    const places = ["", " auth.example.test", " example.test", ` ${host}`];
    expect(domainsIn(answer)).toEqual(
      ["auth_access", "auth_refresh"].flatMap((name) => places.map((place) => `${name}${place}`)),
    );
    expect(answer.setCookies.every(({ value, attributes }) => value === "" && attributes.get("max-age") === "0")).toBe(
      true,
    );
    expect(jar.names()).toEqual(["auth_device"]);
  });
});

test("X-81 the admin app's cookies never carry a domain", () => {
  const facts = createRequestFacts({
    trustedProxies: [],
    own: { appUrl: new URL("http://localhost:3000"), loopback: false },
  });
  const devices = createDeviceProofs({ secret: jwtSecret, previousSecrets: [], clock: systemClock });
  const cookies = createAuthCookies({
    app: "admin",
    secure: "auto",
    domain: "example.test",
    appUrl: new URL(APP_URL),
    accessTtlMs: minute,
    devices,
    facts,
    clock: systemClock,
  });
  const head: ResponseHead = { headers: {} };
  cookies.set(head, new Request(APP_URL), { access: "a", refresh: "b", remembered: false, expiresAt: Date.now() });
  cookies.clear(head, new Request(APP_URL));
  const written = [head.headers["set-cookie"]].flat();
  expect(written).toHaveLength(4);
  expect(written.filter((each) => /domain=|^auth_/i.test(each ?? ""))).toEqual([]);
});

const settings = ["", "example.test", "auth.example.test", host] as const;
const changes = settings.flatMap((before) =>
  settings.filter((after) => after !== before).map((after) => [before, after] as const),
);

describe("X-80 after AUTH_COOKIE_DOMAIN has changed", () => {
  test.each(changes)("from %p to %p a session goes on, and its old cookies go", async (before, after) => {
    const ada = await people.register("ada");
    const jar = createJar(host);
    await signIn(jar, before, ada);
    for (const route of ["me", "refresh", "me", "refresh", "me"])
      expect((await ask(jar, after, route)).at("user.id")).toBe(ada.id);
    const suffix = after === "" ? "" : ` ${after}`;
    expect(jar.names()).toEqual([`auth_access${suffix}`, "auth_device", `auth_refresh${suffix}`]);
    expect((await ask(jar, after, "logout")).status).toBe(200);
    expect((await ask(jar, after, "me")).status).toBe(401);
    expect(jar.names()).toEqual(["auth_device"]);
  });

  test.each(changes)("from %p to %p another user of the browser can sign in", async (before, after) => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const jar = createJar(host);
    await signIn(jar, before, ada);
    await signIn(jar, after, grace);
    expect((await ask(jar, after, "me")).at("user.id")).toBe(grace.id);
    expect(jar.names()).toHaveLength(3);
    // The setting changes back, and the cookies of the new setting are still there.
    await signIn(jar, before, ada);
    expect((await ask(jar, before, "me")).at("user.id")).toBe(ada.id);
    expect(jar.names()).toHaveLength(3);
  });

  test.each(changes)("from %p to %p a logout at once ends the session", async (before, after) => {
    const ada = await people.register("ada");
    const jar = createJar(host);
    await signIn(jar, before, ada);
    expect((await ask(jar, after, "logout")).status).toBe(200);
    expect((await ask(jar, after, "me")).status).toBe(401);
    await signIn(jar, after, ada);
    expect(jar.names()).toHaveLength(3);
  });
});
