import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "../../client/index.ts";
import type { Settings } from "../shared/settings.ts";
import type { Words } from "../shared/words/en.ts";
import { inRegion, pickLanguage, type Language } from "../shared/words/language.ts";
import { createConnection, type Connection } from "./acts/connection.ts";
import type { Pages } from "./pages.ts";
import { createProof, type Proof } from "./acts/proof.ts";
import { createRouter, type Router } from "./router.ts";
import { createSession, type Session } from "./session.ts";
import { loadWords, type Spoken } from "./words.ts";

/** The base of every page and part. */
export interface Account {
  readonly settings: Settings;
  readonly pages: Pages;
  readonly router: Router;
  readonly session: Session;
  readonly client: Client;
  readonly connection: Connection;
  readonly proof: Proof;
  readonly words: ReadonlySignal<Words>;
}

export function createAccount(settings: Settings, pages: Pages, chosenByServer: Spoken): Account {
  const router = createRouter(settings, pages);
  const spoken = signal(chosenByServer);
  const session = createSession({
    base: settings.base,
    onEnd(reason) {
      if (router.place.value.path === "/account")
        router.replace("/login", reason === "ended" ? { next: router.href("/account") } : {});
    },
  });
  // The server has chosen among the browser's languages. The profile of the signed-in user may name another one.
  const wanted = computed(() => {
    const user = session.user.value;
    return user && pickLanguage([user.locale ?? "", chosenByServer.language]);
  });
  async function change(language: Language): Promise<void> {
    // The current words stay in use where the wanted ones can't be loaded.
    const next = await loadWords(language).catch(() => undefined);
    if (next !== undefined && wanted.peek() === language) spoken.value = next;
  }
  effect(() => {
    const language = wanted.value;
    if (language !== undefined && language !== spoken.peek().language) void change(language);
  });
  effect(() => void (document.documentElement.lang = spoken.value.language));
  return {
    settings,
    pages,
    router,
    session,
    client: session.client,
    connection: createConnection(),
    proof: createProof(),
    words: computed(() =>
      inRegion(spoken.value.words, spoken.value.language, [session.user.value?.locale ?? "", ...navigator.languages]),
    ),
  };
}

export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error("a part of the account pages stands outside of them");
  return account;
}

export const useWords = (): Words => useAccount().words.value;
