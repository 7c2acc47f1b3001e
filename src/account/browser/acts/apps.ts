import { signal, type Signal } from "@preact/signals";

/** How long a page waits for the name of an app. It goes on without one: nothing depends on it. */
const patienceMs = 5_000;

/** An app to which a sign-in goes on. `name` is null while it is asked for, and undefined where the service knows none. */
export type AppName = Signal<string | null | undefined>;

const nameIn = (answer: unknown): string | undefined =>
  typeof answer === "object" && answer !== null && "name" in answer && typeof answer.name === "string"
    ? answer.name
    : undefined;

async function ask(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? nameIn(await answer.json()) : undefined;
  } catch {
    // The form is what people came for, and it is there.
    return undefined;
  }
}

/** Finds out what the apps are called for which people sign in here: from the service, and never from what an address says. */
export function createAppNames(base: string) {
  const start = `${base}/oauth2/authorize?`;
  const device = `${base}/device`;
  const names = new Map<string, AppName>();
  return {
    /** Whether somebody goes on there to sign a device in: which app is on it, its code will say. */
    isDevice: (destination: string): boolean => destination === device || destination.startsWith(`${device}?`),

    /** Returns the name of the app to which this destination leads; undefined for a destination that is no app's. */
    of(destination: string): AppName | undefined {
      const id = destination.startsWith(start)
        ? new URLSearchParams(destination.slice(start.length)).get("client_id")
        : null;
      if (id === null) return undefined;
      const known = names.get(id);
      if (known !== undefined) return known;
      const name: AppName = signal(null);
      names.set(id, name);
      void ask(`${base}/oauth2/client?${new URLSearchParams({ client_id: id }).toString()}`).then(
        (found) => void (name.value = found),
      );
      return name;
    },
  };
}
