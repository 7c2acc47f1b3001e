import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Settings } from "../settings.ts";
import { languages, pickLanguage, type Language, type Words } from "../words/index.ts";
import { createApi, type Api } from "./api.ts";
import { createConnection, type Connection } from "./connection.ts";
import { createRouter, type Router } from "./router.ts";

/** What every page and part stands on. */
export interface Account {
  readonly settings: Settings;
  readonly router: Router;
  readonly api: Api;
  readonly connection: Connection;
  readonly language: Signal<Language>;
  readonly words: ReadonlySignal<Words>;
}

export function createAccount(settings: Settings): Account {
  // The server has chosen among the browser's languages; the profile of whoever is signed in may say otherwise.
  const language = signal(pickLanguage([document.documentElement.lang]));
  const connection = createConnection();
  return {
    settings,
    router: createRouter(settings.base),
    api: createApi({ base: settings.base, heard: connection.heard }),
    connection,
    language,
    words: computed(() => languages[language.value]),
  };
}

export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error("a part of the account pages stands outside of them");
  return account;
}

export const useWords = (): Words => useAccount().words.value;
