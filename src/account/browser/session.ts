import { signal, type ReadonlySignal } from "@preact/signals";
import { createClient, type Client, type User } from "../../client/index.ts";
import type { Words } from "../shared/words/index.ts";

export interface Session {
  /** To be called when the server knows of no session: it need not be asked again. */
  forget(): void;
  readonly client: Client;
  /** Who is signed in, as far as that is known here. */
  readonly user: ReadonlySignal<User | undefined>;
  /** How the session ended that was last here, where there is something to say about it. */
  readonly farewell: ReadonlySignal<Farewell | undefined>;
  /** Whether somebody has signed in with this browser and not out again: worth asking the server who. */
  mayBeSignedIn(): boolean;
  /** To be called with the user of every answer that has one. */
  know(user: User): void;
  /** To be called after an act that has ended the session, where that is worth a word. */
  bid(farewell: Farewell): void;
}

/** `ended`: found to be over, though nobody has signed out here. */
export type Farewell = keyof Words["signIn"]["farewell"];

interface SessionOptions {
  readonly base: string;
  /** Called when the session is over, here or elsewhere. */
  readonly onEnd: (reason: "signed_out" | "ended") => void;
}

/** Knows who is signed in, in this tab and by hearsay in others. What proves it is in cookies that no script can read. */
export function createSession({ base, onEnd }: SessionOptions): Session {
  const user = signal<User | undefined>(undefined);
  const farewell = signal<Farewell | undefined>(undefined);
  const mark = createMark(`${base}/account: signed in`);

  const client = createClient({
    baseUrl: base,
    onSignedOut(reason) {
      mark.clear();
      user.value = undefined;
      farewell.value = reason === "ended" ? "ended" : undefined;
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
    farewell,
    mayBeSignedIn: mark.isSet,
    know(known) {
      mark.set();
      user.value = known;
      farewell.value = undefined;
    },
    bid: (word) => void (farewell.value = word),
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
