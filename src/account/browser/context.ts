import { computed, effect, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Settings } from "../shared/settings.ts";
import type { Words } from "../shared/words/en.ts";
import { inRegion, pickLanguage, type Language } from "../shared/words/language.ts";
import { createAppNames } from "./acts/apps.ts";
import { createConnection } from "./acts/connection.ts";
import { createProof } from "./acts/proof.ts";
import { createRouter, type Pages } from "./router.ts";
import { createSession } from "./session.ts";

const sources: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import("../shared/words/en.ts")).english,
  de: async () => (await import("../shared/words/de.ts")).german,
};

/** A language with the words of the pages. */
export interface Spoken {
  readonly language: Language;
  readonly words: Words;
}

export type Account = ReturnType<typeof createAccount>;

/** Creates the base of every page and part. */
export function createAccount(settings: Settings, pages: Pages, chosenByServer: Spoken) {
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
    const words = await sources[language]().catch(() => undefined);
    if (words !== undefined && wanted.peek() === language) spoken.value = { language, words };
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
    apps: createAppNames(settings.base),
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
