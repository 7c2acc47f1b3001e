import { signal } from "@preact/signals";
import type { ConnectedApp, Identity, OwnOrganization, PersonalToken, Result, Session } from "../../../client/index.ts";
import { isPersonal } from "../../shared/settings.ts";
import type { Account } from "../context.ts";

/** How long data counts as fresh: coming back more often does not ask the server more often. */
const freshForMs = 5_000;

/** How many organizations the page shows: by default a person can be in half as many. */
const mostOrganizations = 200;

/** Data that is fetched when the page is shown, and again when it may have changed elsewhere. */
export const resourcesOf =
  ({ heard }: Pick<Account["connection"], "heard">) =>
  <A, T>(fetch: () => Promise<Result<A>>, read: (answer: A) => T) => {
    const value = signal<T | undefined>(undefined);
    const hasFailed = signal(false);
    return {
      value,
      /** Whether the last attempt to fetch the data failed. */
      hasFailed,
      async load(): Promise<void> {
        hasFailed.value = false;
        const result = heard(await fetch());
        if (result.ok) value.value = read(result);
        else hasFailed.value = true;
      },
      /** Replaces the data with the result of an act. */
      set: (next: T): void => void (value.value = next),
    };
  };

export type Holdings = ReturnType<typeof createHoldings>;

/** Everything on the account page besides the user. */
export function createHoldings({ client, connection, session, router, settings }: Account) {
  /** The version of the terms that the user has not accepted yet. */
  const termsDue = signal<string | null>(null);

  const createResource = resourcesOf(connection);

  async function askWho() {
    const result = await client.getMe();
    if (result.ok) {
      session.know(result.user);
      termsDue.value = result.terms_due;
      if (result.mfa_setup_required) router.signInAgain({ setup: "" });
    } else if (result.code === "unauthorized" && isPersonal(router.place.value.path))
      // No session has ended: the page did not know of one, as after a step back to it.
      router.signInAgain();
    return result;
  }

  const resources = {
    user: createResource(askWho, () => undefined),
    /** The sessions that people have by themselves: those of programs are shown with the program. */
    sessions: createResource(client.listSessions, ({ sessions }): readonly Session[] =>
      sessions.filter((each) => each.client === null),
    ),
    apps: createResource(client.listApps, ({ apps }): readonly ConnectedApp[] => apps),
    identities: createResource(client.listIdentities, ({ identities }): readonly Identity[] => identities),
    mfa: createResource(client.getMfa, (mfa) => mfa),
    organizations: createResource(
      () => client.listOrganizations({ limit: mostOrganizations }),
      ({ organizations }): readonly OwnOrganization[] => organizations,
    ),
    tokens: createResource(client.listPersonalTokens, ({ tokens }): readonly PersonalToken[] => tokens),
  };

  /** Fetches everything. */
  function load(): void {
    const isOn: Readonly<Record<string, boolean>> = {
      tokens: settings.personalTokens,
      apps: settings.apps,
      organizations: settings.organizations !== undefined,
    };
    for (const [name, resource] of Object.entries(resources)) if (isOn[name] ?? true) void resource.load();
  }

  return {
    ...resources,
    termsDue,
    load,
  };
}

/** Fetches data now, and again whenever somebody comes back to the page. Returns a function that stops this. */
export function keepFresh(fetch: () => void) {
  let loadedAt = 0;
  function load(): void {
    loadedAt = Date.now();
    fetch();
  }
  const comeBack = (): void => {
    if (!document.hidden && Date.now() - loadedAt > freshForMs) load();
  };
  document.addEventListener("visibilitychange", comeBack);
  addEventListener("online", load);
  load();
  return () => {
    document.removeEventListener("visibilitychange", comeBack);
    removeEventListener("online", load);
  };
}
