import { describe, expect, test } from "bun:test";
import { createClient, type ClientOptions, type Kept, type Result } from "../../src/client/index.ts";
import { auth, type Person } from "../support/auth.ts";
import { createClient as createBrowser } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { stage } from "../support/stage.ts";

const { target, rows, people } = await stage();

/** Makes a program with a store of its own. `requests` are the routes that it has asked. */
function createProgram(options: ClientOptions = {}) {
  let kept: Kept | null = null;
  const requests: string[] = [];
  const client = createClient({
    baseUrl: target.url,
    storage: {
      load: () => kept,
      save: (next) => void (kept = next),
      clear: () => void (kept = null),
    },
    fetch(url, init) {
      requests.push(new URL(url).pathname);
      return fetch(url, init);
    },
    ...options,
  });
  return {
    client,
    requests,
    kept: (): Kept => kept ?? {},
    keep: (next: Kept) => void (kept = next),
    refreshes: (): number => requests.filter((path) => path === auth("refresh")).length,
  };
}

async function signedIn(options?: ClientOptions) {
  const person = await people.register("ada");
  const program = createProgram(options);
  expect(await program.client.login({ login: person.email, password: person.password })).toMatchObject({ ok: true });
  return { person, ...program };
}

const sessionsOf = ({ id }: Person) =>
  rows.all("select generation, revoked_at from auth_sessions where user_id = ? order by id desc", id);
const codesOf = (results: readonly Result[]): string[] => results.map((result) => (result.ok ? "ok" : result.code));

describe("a client that is no browser", () => {
  test("X-71 keeps what it was given, and shows none of it to the app", async () => {
    const { client, kept } = createProgram();
    const registered = await client.register({ email: "native@example.test", password: "a long walk by the sea" });
    expect(registered).toMatchObject({ ok: true, user: { email: "native@example.test" } });
    expect(Object.keys(registered).toSorted()).toEqual(["ok", "user"]);
    expect(kept().session).toMatchObject({ token_type: "Bearer", access_expires_at: expect.any(Number) });
    expect(kept().device_token).toBeString();
    expect(await client.getMe()).toMatchObject({ ok: true, user: { email: "native@example.test" } });
  });

  test("refreshes once for a burst of requests, before it sends what can't be served", async () => {
    const { person, client, requests, kept, keep, refreshes } = await signedIn();
    const { session } = kept();
    if (session === undefined) throw new Error("nothing was kept");
    keep({ session: { ...session, access_expires_at: Date.now() + 5_000 } });
    const sent = requests.length;
    const calls = [client.getMe(), client.hello(), client.listSessions(), client.updateProfile({ locale: "de" })];
    expect(codesOf(await Promise.all(calls))).toEqual(["ok", "ok", "ok", "ok"]);
    expect(refreshes()).toBe(1);
    expect(requests.length - sent).toBe(5);
    expect(kept().session?.refresh_token).not.toBe(session.refresh_token);
    expect(sessionsOf(person)[0]).toEqual({ generation: 2, revoked_at: null });
  });

  test("refreshes once for a burst of requests whose access token the service does not take any more", async () => {
    const { client, kept, keep, refreshes } = await signedIn();
    const { session } = kept();
    if (session === undefined) throw new Error("nothing was kept");
    keep({ session: { ...session, access_token: "signed.with.another-key" } });
    const results = await Promise.all(Array.from({ length: 6 }, () => client.getMe()));
    expect(codesOf(results)).toEqual(results.map(() => "ok"));
    expect(refreshes()).toBe(1);
  });

  test("knows of a refresh that was over before it heard that it needs one", async () => {
    const gateway = startGateway(target.url);
    const { client, kept, keep, refreshes } = await signedIn({ baseUrl: gateway.url });
    const { session } = kept();
    if (session === undefined) throw new Error("nothing was kept");
    keep({ session: { ...session, access_token: "signed.with.another-key" } });
    gateway.keepBack("GET /api/v1/hello 401", `POST ${auth("refresh")} 200`);
    expect(codesOf(await Promise.all([client.hello(), client.getMe()]))).toEqual(["ok", "ok"]);
    expect(refreshes()).toBe(1);
    await gateway.stop();
  });

  test("that signs somebody else in does not fall back to the session that was being refreshed", async () => {
    const gateway = startGateway(target.url);
    const grace = await people.register("grace");
    const { client, kept, keep } = await signedIn({ baseUrl: gateway.url });
    const { session } = kept();
    if (session === undefined) throw new Error("nothing was kept");
    keep({ session: { ...session, access_expires_at: 0 } });
    gateway.keepBack(`POST ${auth("refresh")} 200`, `POST ${auth("login")} 200`);
    const edited = client.updateProfile({ display_name: "Ada Lovelace" });
    expect(await client.login({ login: grace.email, password: grace.password })).toMatchObject({ ok: true });
    expect(await edited).toMatchObject({ code: "unauthorized" });
    expect(await client.getMe()).toMatchObject({ user: { id: grace.id, display_name: grace.username } });
    await gateway.stop();
  });

  test("stays signed in through a change of the password", async () => {
    const { person, client } = await signedIn();
    const passwords = { current_password: person.password, new_password: "another walk by the sea" };
    expect(await client.changePassword(passwords)).toMatchObject({ ok: true });
    expect(codesOf([await client.getMe(), await client.refresh(), await client.getMe()])).toEqual(["ok", "ok", "ok"]);
  });

  test("forgets its session when it is over, and shows at the next login that it is known", async () => {
    const reasons: string[] = [];
    const onSignedOut = (reason: string): void => void reasons.push(reason);
    const { person, client, kept } = await signedIn({ onSignedOut });
    const { device_token } = kept();
    expect(await client.logout()).toEqual({ ok: true });
    expect(kept()).toEqual({ device_token: device_token ?? "" });
    expect(await client.getMe()).toMatchObject({ code: "unauthorized" });
    for (let guess = 0; guess < 6; guess += 1)
      await createBrowser(target.url).post(auth("login"), { login: person.email, password: "a wrong guess" });
    expect(await client.login({ login: person.email, password: person.password })).toMatchObject({ ok: true });
    await person.client.post(auth("logout-all"));
    expect(codesOf(await Promise.all([client.getMe(), client.getMe()]))).toEqual(["unauthorized", "unauthorized"]);
    expect(kept().session).toBeUndefined();
    expect(reasons).toEqual(["signed_out", "ended"]);
  });

  test("that starts again finds out from what it has kept that its session has ended meanwhile", async () => {
    const { person, kept } = await signedIn();
    const reasons: string[] = [];
    const restarted = createProgram({ onSignedOut: (reason) => reasons.push(reason) });
    restarted.keep(kept());
    await person.client.post(auth("logout-all"));
    expect(await restarted.client.getMe()).toMatchObject({ code: "unauthorized", status: 401 });
    expect(reasons).toEqual(["ended"]);
  });
});
