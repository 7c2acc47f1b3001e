import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "../../client/index.ts";
import type { Settings } from "../shared/settings.ts";
import { pickLanguage, wordsIn, type Language, type Words } from "../shared/words/index.ts";
import { createConnection, type Connection } from "./connection.ts";
import { createProof, type Proof } from "./proof.ts";
import { createRouter, type Router } from "./router.ts";
import { createSession, type Session } from "./session.ts";

/** What every page and part stands on. */
export interface Account {
  readonly settings: Settings;
  readonly router: Router;
  readonly session: Session;
  readonly client: Client;
  readonly connection: Connection;
  readonly proof: Proof;
  readonly language: ReadonlySignal<Language>;
  readonly words: ReadonlySignal<Words>;
}

export function createAccount(settings: Settings): Account {
  const router = createRouter(settings);
  // The server has chosen among the browser's languages; the profile of whoever is signed in may say otherwise.
  const chosenByServer = pickLanguage([document.documentElement.lang]);
  const language = signal(chosenByServer);
  const session = createSession({
    base: settings.base,
    onEnd(reason) {
      if (router.place.value.path === "/account")
        router.replace("/login", reason === "ended" ? { next: router.href("/account") } : {});
    },
  });
  effect(() => {
    const user = session.user.value;
    if (user !== undefined) language.value = pickLanguage([user.locale ?? "", chosenByServer]);
  });
  effect(() => void (document.documentElement.lang = language.value));
  return {
    settings,
    router,
    session,
    client: session.client,
    connection: createConnection(),
    proof: createProof(),
    language,
    words: computed(() => wordsIn(language.value, [session.user.value?.locale ?? "", ...navigator.languages])),
  };
}

export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error("a part of the account pages stands outside of them");
  return account;
}

export const useWords = (): Words => useAccount().words.value;
