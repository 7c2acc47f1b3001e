import { computed, effect, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { isPersonal, type Settings } from "../shared/settings.ts";
import type { Chapter, Chapters } from "../shared/words/chapters/index.ts";
import type { Words } from "../shared/words/en.ts";
import { inRegion, pickLanguage, type Language } from "../shared/words/language.ts";
import { createAppNames } from "./acts/apps.ts";
import { chapterSources } from "./chapters.ts";
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

/** What has happened to the reader's place in an organization, for the page that shows all of them. */
export interface News {
  readonly kind: "joined" | "left" | "removed";
  readonly name: string;
}

export type Account = ReturnType<typeof createAccount>;

/** Creates the base of every page and part. */
export function createAccount(settings: Settings, pages: Pages, chosenByServer: Spoken) {
  const router = createRouter(settings, pages);
  const spoken = signal<Spoken & { readonly chapters: Partial<Chapters> }>({ ...chosenByServer, chapters: {} });
  const session = createSession({
    base: settings.base,
    onEnd(reason) {
      if (!isPersonal(router.place.value.path)) return;
      if (reason === "ended") router.signInAgain();
      else router.replace("/login");
    },
  });
  // The server has chosen among the browser's languages. The profile of the signed-in user may name another one.
  const wanted = computed(() => {
    const user = session.user.value;
    return user && pickLanguage([user.locale ?? "", chosenByServer.language]);
  });
  const learnt = new Set<Chapter>();
  async function change(language: Language): Promise<void> {
    // The current words stay in use where the wanted ones can't be loaded.
    const words = await sources[language]().catch(() => undefined);
    if (words === undefined || wanted.peek() !== language) return;
    spoken.value = { ...spoken.peek(), language, words };
    for (const chapter of learnt) void learn(chapter).catch(() => undefined);
  }
  /** Loads words that only some pages need. */
  async function learn(chapter: Chapter): Promise<void> {
    learnt.add(chapter);
    const { language } = spoken.peek();
    const words = await chapterSources[chapter][language]();
    if (language !== spoken.peek().language) return learn(chapter);
    spoken.value = { ...spoken.peek(), chapters: { ...spoken.peek().chapters, ...words } };
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
    /** What the account page has to tell next. */
    news: signal<News | undefined>(undefined),
    learn,
    chapters: computed(() => spoken.value.chapters),
    words: computed(() => {
      const { words, language, chapters } = spoken.value;
      const { invitation, organization, ways } = chapters;
      const more = { ...invitation?.refusals, ...organization?.refusals, ...ways?.refusals };
      const refusals = { ...words.refusals, ...more };
      return inRegion({ ...words, refusals }, language, [session.user.value?.locale ?? "", ...navigator.languages]);
    }),
  };
}

export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error("a part of the account pages stands outside of them");
  return account;
}

export const useWords = (): Words => useAccount().words.value;

/** Returns the words of a chapter, which has been loaded before. */
export function useChapter<Name extends Chapter>(name: Name): Chapters[Name] {
  const words = useAccount().chapters.value[name];
  if (words === undefined) throw new Error(`${name} is shown without its words`);
  return words;
}
