import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { createClient, type Client, type User } from "../../client/index.ts";
import type { Settings } from "../shared/settings.ts";
import { languages, pickLanguage, type Language, type Words } from "../shared/words/index.ts";
import { createConnection, type Connection } from "./connection.ts";
import { createRouter, type Router } from "./router.ts";

/** What every page and part stands on. */
export interface Account {
  readonly settings: Settings;
  readonly router: Router;
  readonly client: Client;
  readonly connection: Connection;
  readonly language: Signal<Language>;
  readonly words: ReadonlySignal<Words>;
  /** Who is signed in, as far as that is known here. */
  readonly user: Signal<User | undefined>;
  /** Whether the sign-in page is shown because a session has ended elsewhere. */
  readonly hasEnded: Signal<boolean>;
}

export function createAccount(settings: Settings): Account {
  const router = createRouter(settings.base);
  const connection = createConnection();
  // The server has chosen among the browser's languages; the profile of whoever is signed in may say otherwise.
  const language = signal(pickLanguage([document.documentElement.lang]));
  const user = signal<User | undefined>(undefined);
  const hasEnded = signal(false);

  const client = createClient({
    baseUrl: settings.base,
    onSignedOut(reason) {
      user.value = undefined;
      hasEnded.value = reason === "ended";
      if (router.place.value.path === "/account")
        router.replace("/login", reason === "ended" ? { next: router.href("/account") } : {});
    },
  });

  return {
    settings,
    router,
    client,
    connection,
    language,
    words: computed(() => languages[language.value]),
    user,
    hasEnded,
  };
}

export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error("a part of the account pages stands outside of them");
  return account;
}

export const useWords = (): Words => useAccount().words.value;
