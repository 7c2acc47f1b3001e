import type { Chapter, Chapters } from "../shared/words/chapters/index.ts";
import type { Language } from "../shared/words/language.ts";

type Source = Readonly<Record<Language, () => Promise<Partial<Chapters>>>>;

/** Where the chapters are. Each is a file of its own. */
export const chapterSources: Readonly<Record<Chapter, Source>> = {
  account: {
    en: async () => ({ account: (await import("../shared/words/chapters/account.en.ts")).accountInEnglish }),
    de: async () => ({ account: (await import("../shared/words/chapters/account.de.ts")).accountInGerman }),
  },
  invitation: {
    en: async () => ({ invitation: (await import("../shared/words/chapters/invitation.en.ts")).invitationInEnglish }),
    de: async () => ({ invitation: (await import("../shared/words/chapters/invitation.de.ts")).invitationInGerman }),
  },
  links: {
    en: async () => ({ links: (await import("../shared/words/chapters/links.en.ts")).linksInEnglish }),
    de: async () => ({ links: (await import("../shared/words/chapters/links.de.ts")).linksInGerman }),
  },
  ways: {
    en: async () => ({ ways: (await import("../shared/words/chapters/ways.en.ts")).waysInEnglish }),
    de: async () => ({ ways: (await import("../shared/words/chapters/ways.de.ts")).waysInGerman }),
  },
  organization: {
    en: async () => ({
      organization: (await import("../shared/words/chapters/organization.en.ts")).organizationInEnglish,
    }),
    de: async () => ({
      organization: (await import("../shared/words/chapters/organization.de.ts")).organizationInGerman,
    }),
  },
};
