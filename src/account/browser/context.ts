import { computed, effect, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { isPersonal, type Settings } from "../shared/settings.ts";
import { type Chapter, type Chapters, type Words } from "../shared/words.ts";
import type { English } from "../../words/english/index.ts";
import { pickLanguage, regionalTag } from "../../words/language.ts";
import { isRightToLeft, speak } from "../../words/message.ts";
import { createAppNames } from "./acts/apps.ts";
import { createConnection } from "./acts/connection.ts";
import { createProof } from "./acts/proof.ts";
import { createRouter, type Pages } from "./router.ts";
import { createSession } from "./session.ts";

/** A language with the messages that all pages have. */
export interface Told {
  readonly language: string;
  readonly messages: English["pages"];
}

/** What the reader is told in. */
interface Spoken {
  readonly language: string;
  readonly words: Omit<Words, "tag">;
  readonly chapters: Partial<Chapters>;
}

/** What has happened to the reader's place in an organization, for the page that shows all of them. */
export interface News {
  readonly kind: "joined" | "left" | "removed";
  readonly name: string;
}

export type Account = ReturnType<typeof createAccount>;

/** Creates the base of every page and part. */
export function createAccount(settings: Settings, pages: Pages, chosenByServer: Told) {
  const router = createRouter(settings, pages);
  const spoken = signal<Spoken>({
    language: chosenByServer.language,
    words: speak(chosenByServer.messages, chosenByServer.language),
    chapters: {},
  });
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
    return user && pickLanguage([user.locale ?? "", chosenByServer.language], settings.languages);
  });
  const learnt = new Set<Chapter>();
  /** Loads the messages of a chapter. Those of the page's language lie beside this script. */
  async function load<Name extends Chapter | "pages">(language: string, chapter: Name): Promise<English[Name]> {
    const folder = language === chosenByServer.language ? "." : `../${language}`;
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- the server writes these files of the same messages
    const { default: messages }: { readonly default: English[Name] } = await import(`${folder}/words.${chapter}.js`);
    return messages;
  }
  async function change(language: string): Promise<void> {
    // The current words stay in use where the wanted ones can't be loaded.
    const messages = await load(language, "pages").catch(() => undefined);
    if (messages === undefined || wanted.peek() !== language) return;
    spoken.value = { ...spoken.peek(), language, words: speak(messages, language) };
    for (const chapter of learnt) void learn(chapter).catch(() => undefined);
  }
  /** Loads words that only some pages need. */
  async function learn(chapter: Chapter): Promise<void> {
    learnt.add(chapter);
    const { language } = spoken.peek();
    const words = speak(await load(language, chapter), language);
    if (language !== spoken.peek().language) return learn(chapter);
    spoken.value = { ...spoken.peek(), chapters: { ...spoken.peek().chapters, [chapter]: words } };
  }
  effect(() => {
    const language = wanted.value;
    if (language !== undefined && language !== spoken.peek().language) void change(language);
  });
  effect(() => {
    const { language } = spoken.value;
    document.documentElement.lang = language;
    document.documentElement.dir = isRightToLeft(language) ? "rtl" : "ltr";
  });
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
      return {
        ...words,
        refusals,
        tag: regionalTag(language, [session.user.value?.locale ?? "", ...navigator.languages]),
      };
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
