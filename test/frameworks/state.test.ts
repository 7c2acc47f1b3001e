import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { createClient } from "../../src/client/index.ts";
import { createAuthStore } from "../../src/kits/js/state/auth.store.ts";
import type { AuthStore, AuthUser } from "../../src/kits/js/state/auth.types.ts";
import { auth, type Person } from "../support/auth.ts";
import { clientIn } from "../support/client.library.ts";
import { createClient as createBrowser } from "../support/client.ts";
import { eventually } from "../support/log.ts";
import { startGateway } from "../support/gateway.ts";
import { stage } from "../support/stage.ts";

const { target, people } = await stage();
let isAway = false;
const away = (): Response | undefined =>
  isAway ? new Response(null, { status: 503, headers: { "retry-after": "1" } }) : undefined;
const gateway = startGateway(target.url, away);
afterAll(() => gateway.stop());

/** Returns the state of who is signed in, as a page in that person's browser has it. */
function stateFor(person: Person | undefined, known?: AuthUser | null) {
  const browser = createBrowser(gateway.url);
  for (const name of ["auth_access", "auth_refresh"]) {
    const value = person?.client.cookie(name);
    if (value !== undefined) browser.setCookie(name, value);
  }
  const client = clientIn(browser);
  const store = createAuthStore<AuthUser>(client, known);
  const seen: string[] = [store.get().status];
  return { client, store, seen, watch: () => store.subscribe(() => seen.push(store.get().status)) };
}

const becomes = (store: AuthStore<AuthUser>, status: string): Promise<unknown> =>
  eventually(status, () => store.get().status === status);
const isTold = (store: AuthStore<AuthUser>): Promise<unknown> =>
  eventually("a failure", () => store.get().failure?.code === "unavailable");

describe("who is signed in, as a page knows it", () => {
  test("is asked once for all that shows it, and not before anything does", async () => {
    const ada = await people.register("ada");
    const asked = gateway.count(`GET ${auth("me")} 200`);
    const { store, watch } = stateFor(ada);
    expect(store.get()).toEqual({ status: "loading", user: null });
    const ends = [watch(), watch(), watch()];
    await becomes(store, "signed_in");
    expect(store.get().user).toMatchObject({ id: ada.id, username: ada.username });
    expect(gateway.count(`GET ${auth("me")} 200`) - asked).toBe(1);
    for (const end of ends) end();
  });

  test("is missed aloud where nobody answers, once for each reason", async () => {
    const heard = spyOn(console, "warn").mockImplementation(() => {});
    try {
      isAway = true;
      const { store, watch } = stateFor(undefined);
      const end = watch();
      await isTold(store);
      await store.reload();
      end();
      expect(heard.mock.calls).toEqual([[expect.stringContaining("(unavailable)")]]);
    } finally {
      isAway = false;
      heard.mockRestore();
    }
  });

  test("is what the server has found, at once and for the first rendering", async () => {
    const ada = await people.register("ada");
    const known = { id: ada.id, username: ada.username, email: ada.email };
    const { store, seen, watch } = stateFor(ada, known);
    expect(store.get()).toEqual({ status: "signed_in", user: known });
    const end = watch();
    await eventually("the whole user", () => store.get().user?.display_name !== undefined);
    expect(store.getInitial()).toEqual({ status: "signed_in", user: known });
    expect(new Set(seen)).toEqual(new Set(["signed_in"]));
    end();
    expect(stateFor(undefined, null).store.get()).toEqual({ status: "signed_out", user: null });
  });

  test("Y-03 stays where the service can't be asked, and is asked anew", async () => {
    const ada = await people.register("ada");
    isAway = true;
    const fresh = stateFor(ada);
    const known = stateFor(ada, { id: ada.id, username: ada.username, email: ada.email });
    const ends = [fresh.watch(), known.watch()];
    await Promise.all([fresh.store, known.store].map(isTold));
    expect([fresh.store.get().status, known.store.get().status]).toEqual(["loading", "signed_in"]);
    expect(await known.store.signOut()).toMatchObject({ ok: false, code: "unavailable" });
    expect(known.store.get().status).toBe("signed_in");
    isAway = false;
    await becomes(fresh.store, "signed_in");
    expect(fresh.store.get().failure).toBeUndefined();
    expect(new Set([...fresh.seen, ...known.seen])).toEqual(new Set(["loading", "signed_in"]));
    for (const end of ends) end();
  });

  test("Y-02 is nobody once somebody has signed out, whatever answer is still on its way", async () => {
    const ada = await people.register("ada");
    const cookie = ["auth_access", "auth_refresh"].map((name) => `${name}=${ada.client.cookie(name)}`).join("; ");
    const [answered, signedOut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isHeld = false;
    const client = createClient({
      baseUrl: gateway.url,
      async fetch(url, init) {
        const answer = await fetch(url, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), cookie },
        });
        if (isHeld && url.endsWith(auth("me"))) {
          answered.resolve();
          await signedOut.promise;
        }
        return answer;
      },
    });
    const store = createAuthStore<AuthUser>(client);
    const end = store.subscribe(() => undefined);
    await becomes(store, "signed_in");
    isHeld = true;
    const late = store.reload();
    await answered.promise;
    await store.signOut();
    expect(store.get()).toEqual({ status: "signed_out", user: null });
    signedOut.resolve();
    await late;
    expect(store.get()).toEqual({ status: "signed_out", user: null });
    end();
  });

  test("follows a sign-in by the client, and a session that was over", async () => {
    const ada = await people.register("ada");
    const { client, store, watch } = stateFor(undefined);
    const end = watch();
    await becomes(store, "signed_out");
    expect(await client.login({ login: ada.email, password: ada.password })).toMatchObject({ ok: true });
    await becomes(store, "signed_in");
    await ada.client.post(auth("logout-all"));
    expect(await client.listSessions()).toMatchObject({ code: "unauthorized" });
    expect(store.get()).toEqual({ status: "signed_out", user: null });
    end();
  });
});
