import { signal } from "@preact/signals";
import { createClient, type User } from "../../client/index.ts";
import type { Words } from "../shared/words.ts";
import { createMark } from "./acts/storage.ts";

/** How a session ended. `ended`: it turned out to be over, though nobody has signed out here. */
type Farewell = keyof Words["signIn"]["farewell"];

interface SessionOptions {
  readonly base: string;
  /** Called when the session is over, here or elsewhere. */
  readonly onEnd: (reason: "signed_out" | "ended") => void;
}

/** Knows who is signed in: in this tab for sure, in other tabs by a mark. The proof is in cookies that no script can read. */
export function createSession({ base, onEnd }: SessionOptions) {
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
    client,
    /** The signed-in user, as far as this tab knows. */
    user,
    /** How the last session here ended, where that deserves a word. */
    farewell,
    /** Notes that the server knows of no session, so that nobody asks it again. */
    forget: mark.clear,
    /** Whether somebody has signed in with this browser and not out again: then the server is worth asking. */
    mayBeSignedIn: mark.isSet,
    /** Takes the user of an answer. Every answer with a user has to pass through here. */
    know(known: User): void {
      mark.set();
      user.value = known;
      farewell.value = undefined;
    },
    /** Notes why an act has ended the session, where that deserves a word. */
    bid: (word: Farewell): void => void (farewell.value = word),
  };
}
