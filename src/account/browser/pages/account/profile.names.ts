import type { Words } from "../../../shared/words/en.ts";
import { pickLanguage } from "../../../shared/words/language.ts";

/** Names a language in that language itself, for readers who are lost in another one. */
const nameOf = (tag: string): string => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
export const languageName = (locale: string | null, { account }: Words): string =>
  locale === null ? account.profile.byBrowser(nameOf(pickLanguage(navigator.languages))) : nameOf(locale);

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
const plainly = (zone: string): string => zone.replaceAll("_", " ");
export const zoneName = (zone: string | null, { account }: Words): string =>
  zone === null ? account.profile.byDevice(plainly(deviceZone())) : plainly(zone);
