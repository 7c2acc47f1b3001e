import type { OrganizationNotice } from "../notices.ts";
import type { LetterWords } from "./catalogue.ts";

const button = "Organisation ansehen";
const footer =
  "{product} hat Ihnen diese Mail geschickt, weil Sie bei {team} Inhaber sind. Werbung verschickt {product} nicht.";
const ownersDoing = "Waren Sie das oder ein anderer Inhaber, müssen Sie nichts tun.";

/** The mails that tell owners of what has happened to their organization. */
export const germanOrganizations: Readonly<Record<OrganizationNotice, LetterWords>> = {
  organization_provider_set: {
    subject: "Eigene Anmeldung von {team} bei {product} eingerichtet",
    lead: "Bei {team} wurde ein Anbieter eingerichtet, über den sich die Mitglieder bei {product} anmelden. Wer ihn betreibt, kann sich als jedes von ihnen anmelden.",
    button,
    otherwise: `${ownersDoing} Wenn nicht, entfernen Sie den Anbieter sofort: Jemand handelt in fremdem Namen.`,
    footer,
  },
  organization_provider_changed: {
    subject: "Die Anmeldung von {team} bei {product} wurde geändert",
    lead: "Der Anbieter, über den sich die Mitglieder von {team} bei {product} anmelden, wurde geändert. Wer ihn betreibt, kann sich als jedes von ihnen anmelden.",
    button,
    otherwise: `${ownersDoing} Wenn nicht, entfernen Sie den Anbieter sofort: Jemand handelt in fremdem Namen.`,
    footer,
  },
  organization_provider_removed: {
    subject: "Die eigene Anmeldung von {team} bei {product} wurde entfernt",
    lead: "Der Anbieter, über den sich die Mitglieder von {team} bei {product} angemeldet haben, wurde entfernt. Sie melden sich jetzt mit einem Passwort oder auf einem anderen eigenen Weg an. Wer kein Passwort hat, bekommt eines über „Passwort vergessen?“.",
    button,
    otherwise: `${ownersDoing} Wenn nicht, fragen Sie die anderen oder den Betreiber von {product}.`,
    footer,
  },
  organization_domain_lost: {
    subject: "Die Domain {about} von {team} ist bei {product} nicht mehr nachgewiesen",
    lead: "Der DNS-Eintrag, der {about} nachweist, ist verschwunden, oder seit zwei Wochen sagt kein Server, ob es ihn gibt. Über diese Domain tritt {team} jetzt niemand bei, und Ihr Anbieter meldet niemanden mehr an, dessen Adresse darunter liegt.",
    button,
    otherwise:
      "Gehört die Domain noch Ihnen, setzen Sie den Eintrag wieder und lassen Sie ihn prüfen. Wenn nicht, müssen Sie nichts tun.",
    footer,
  },
  organization_domain_removed: {
    subject: "{about} ist bei {product} keine Domain von {team} mehr",
    lead: "Die nachgewiesene Domain {about} wurde {team} weggenommen. Über sie tritt jetzt niemand bei, und Ihr Anbieter meldet niemanden mehr an, dessen Adresse darunter liegt.",
    button,
    otherwise: `${ownersDoing} Wenn nicht, fragen Sie die anderen oder den Betreiber von {product}. Die Domain lässt sich erneut nachweisen.`,
    footer,
  },
};
