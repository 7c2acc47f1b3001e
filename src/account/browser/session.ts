import { signal, type ReadonlySignal } from "@preact/signals";
import { createClient, type Client, type User } from "../../client/index.ts";
import type { Words } from "../shared/words/index.ts";

export interface Session {
  /** Notes that the server knows of no session, so that nobody asks it again. */
  forget(): void;
  readonly client: Client;
  /** The signed-in user, as far as this tab knows. */
  readonly user: ReadonlySignal<User | undefined>;
  /** How the last session here ended, where that deserves a word. */
  readonly farewell: ReadonlySignal<Farewell | undefined>;
  /** Whether somebody has signed in with this browser and not out again: then the server is worth asking. */
  mayBeSignedIn(): boolean;
  /** Takes the user of an answer. Every answer with a user has to pass through here. */
  know(user: User): void;
  /** Notes why an act has ended the session, where that deserves a word. */
  bid(farewell: Farewell): void;
}

/** `ended`: the session turned out to be over, though nobody has signed out here. */
export type Farewell = keyof Words["signIn"]["farewell"];

interface SessionOptions {
  readonly base: string;
  /** Called when the session is over, here or elsewhere. */
  readonly onEnd: (reason: "signed_out" | "ended") => void;
}

/** Knows who is signed in: in this tab for sure, in other tabs by a mark. The proof is in cookies that no script can read. */
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

  // Another tab has signed out. The client asks the server, which has the last word.
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

/** Keeps one bit that all tabs share. In a browser that stores nothing the bit is unset. */
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
