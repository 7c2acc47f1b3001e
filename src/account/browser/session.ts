import { signal, type ReadonlySignal } from "@preact/signals";
import { createClient, type Client, type User } from "../../client/index.ts";

export interface Session {
  /** To be called when the server knows of no session: it need not be asked again. */
  forget(): void;
  readonly client: Client;
  /** Who is signed in, as far as that is known here. */
  readonly user: ReadonlySignal<User | undefined>;
  /** Whether a session was found to be over that nobody here has ended. */
  readonly hasEnded: ReadonlySignal<boolean>;
  /** Whether somebody has signed in with this browser and not out again: worth asking the server who. */
  mayBeSignedIn(): boolean;
  /** To be called with the user of every answer that has one. */
  know(user: User): void;
}

interface SessionOptions {
  readonly base: string;
  /** Called when the session is over, here or elsewhere. */
  readonly onEnd: (reason: "signed_out" | "ended") => void;
}

/** Knows who is signed in, in this tab and by hearsay in others. What proves it is in cookies that no script can read. */
export function createSession({ base, onEnd }: SessionOptions): Session {
  const user = signal<User | undefined>(undefined);
  const hasEnded = signal(false);
  const mark = createMark(`${base}/account: signed in`);

  const client = createClient({
    baseUrl: base,
    onSignedOut(reason) {
      mark.clear();
      user.value = undefined;
      hasEnded.value = reason === "ended";
      onEnd(reason);
    },
  });

  // Another tab has signed out. The server has the last word: the client hears from it that the session is over.
  addEventListener("storage", () => {
    if (user.value !== undefined && !mark.isSet()) void client.getMe();
  });

  return {
    forget: mark.clear,
    client,
    user,
    hasEnded,
    mayBeSignedIn: mark.isSet,
    know(known) {
      mark.set();
      user.value = known;
      hasEnded.value = false;
    },
  };
}

/** One bit that all tabs share. A browser that stores nothing has it unset. */
function createMark(name: string) {
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    isSet: () => attempt(() => localStorage.getItem(name) !== null, false),
    set: () => attempt(() => localStorage.setItem(name, "1"), undefined),
    clear: () => attempt(() => localStorage.removeItem(name), undefined),
  };
}
