import type { LinkLetter, LetterWords } from "./catalogue.ts";

export const germanLinks: Readonly<Record<LinkLetter, LetterWords>> = {
  reset_link: {
    subject: "Neues Passwort für {product}",
    lead: "Für Ihr Konto bei {product} wurde ein neues Passwort angefordert. Solange Sie keines wählen, bleibt alles, wie es ist.",
    button: "Neues Passwort wählen",
    validity: "Der Link gilt einmal, und zwar bis {until}.",
    otherwise: "Waren Sie das nicht? Dann müssen Sie nichts tun: Ohne diesen Link bleibt das Passwort, wie es ist.",
  },
  first_password_link: {
    subject: "Wählen Sie Ihr erstes Passwort für {product}",
    lead: "Unter dieser E-Mail-Adresse haben Sie ein Konto bei {product}, und es hat noch kein Passwort. Über den Link wählen Sie Ihr erstes. Danach melden Sie sich mit dieser Adresse und diesem Passwort an.",
    button: "Erstes Passwort wählen",
    validity:
      "Der Link gilt einmal, und zwar bis {until}. Geben Sie ihn nicht weiter: Wer ihn öffnet, kann das Konto übernehmen.",
    otherwise:
      "Haben Sie mit dieser Mail nicht gerechnet? Dann müssen Sie nichts tun: Ohne diesen Link bekommt das Konto kein Passwort.",
    footer:
      "{product} hat Ihnen diese Mail geschickt, weil es zu dieser Adresse ein Konto gibt. Werbung verschickt {product} nicht.",
  },
  email_login_link: {
    subject: "{code} ist Ihr Code für {product}",
    lead: "Für Ihr Konto bei {product} wurde eine Anmeldung per Mail angefordert. Der Code gilt dort, wo Sie sie angefordert haben, der Link auf jedem Gerät.",
    button: "Per Link anmelden",
    code: "Geben Sie diesen Code dort ein, wo Sie die Mail angefordert haben. In einem anderen Browser gilt er nicht:",
    validity:
      "Link und Code gelten einmal, und zwar bis {until}. Geben Sie beides nicht weiter: Niemand von {product} fragt danach.",
    otherwise: "Waren Sie das nicht? Dann müssen Sie nichts tun: Ohne diese Mail kommt niemand hinein.",
  },
  verification_link: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse für {product}",
    lead: "Mit dieser E-Mail-Adresse wurde ein Konto bei {product} angelegt. Öffnen Sie den Link, wenn die Adresse Ihnen gehört.",
    button: "Adresse bestätigen",
    validity: "Der Link gilt einmal, und zwar bis {until}.",
    otherwise:
      "Waren Sie das nicht? Dann sagen Sie es uns: Wer Ihre Adresse benutzt hat, wird abgemeldet und kommt damit nicht mehr hinein.",
    reject: "Das war ich nicht",
  },
  new_address_link: {
    subject: "Bestätigen Sie Ihre neue E-Mail-Adresse für {product}",
    lead: "Ein Konto bei {product} soll künftig diese E-Mail-Adresse haben. Es zieht um, sobald Sie bestätigen, dass sie Ihnen gehört.",
    button: "Adresse bestätigen",
    validity: "Der Link gilt einmal, und zwar bis {until}.",
    otherwise: "Waren Sie das nicht? Dann sagen Sie es uns, und das Konto behält seine bisherige Adresse.",
    reject: "Das war ich nicht",
  },
  invitation_link: {
    subject: "Sie sind zu {product} eingeladen",
    lead: "Sie sind eingeladen, bei {product} ein Konto anzulegen. Öffnen Sie den Link, wählen Sie Namen und Passwort, und schon sind Sie dabei.",
    button: "Einladung annehmen",
    validity:
      "Der Link gilt einmal, und zwar bis {until}. Geben Sie ihn nicht weiter: Wer ihn öffnet, kann das Konto übernehmen.",
    otherwise: "Haben Sie damit nicht gerechnet? Dann müssen Sie nichts tun: Ohne Klick entsteht kein Konto.",
    footer:
      "{product} hat Ihnen diese Mail geschickt, weil Sie mit dieser Adresse eingeladen wurden. Werbung verschickt {product} nicht.",
  },
  invitation_from_link: {
    subject: "{about} lädt Sie zu {product} ein",
    lead: "{about} lädt Sie ein, bei {product} ein Konto anzulegen. Öffnen Sie den Link, wählen Sie Namen und Passwort, und schon sind Sie dabei.",
    button: "Einladung annehmen",
    validity:
      "Der Link gilt einmal, und zwar bis {until}. Geben Sie ihn nicht weiter: Wer ihn öffnet, kann das Konto übernehmen.",
    otherwise:
      "Haben Sie damit nicht gerechnet oder ist Ihnen {about} nicht bekannt? Dann müssen Sie nichts tun: Ohne Ihren Klick wird kein Konto angelegt.",
    footer:
      "{product} hat Ihnen diese Mail geschickt, weil Sie mit dieser Adresse eingeladen wurden. Werbung verschickt {product} nicht.",
  },
  organization_link: {
    subject: "Sie sind zu {team} eingeladen",
    lead: "Sie sind eingeladen, bei {product} Mitglied von {team} zu werden. Öffnen Sie dazu den Link. Haben Sie noch kein Konto, legen Sie dort eines an.",
    button: "Einladung annehmen",
    validity:
      "Der Link gilt einmal, und zwar bis {until}. Geben Sie ihn nicht weiter: Wer ihn öffnet, kann an Ihrer Stelle beitreten.",
    otherwise: "Haben Sie damit nicht gerechnet? Dann müssen Sie nichts tun: Ohne Ihren Klick geschieht nichts.",
    footer:
      "{product} hat Ihnen diese Mail geschickt, weil Sie mit dieser Adresse eingeladen wurden. Werbung verschickt {product} nicht.",
  },
  organization_from_link: {
    subject: "{about} lädt Sie zu {team} ein",
    lead: "{about} lädt Sie ein, bei {product} Mitglied von {team} zu werden. Öffnen Sie dazu den Link. Haben Sie noch kein Konto, legen Sie dort eines an.",
    button: "Einladung annehmen",
    validity:
      "Der Link gilt einmal, und zwar bis {until}. Geben Sie ihn nicht weiter: Wer ihn öffnet, kann an Ihrer Stelle beitreten.",
    otherwise:
      "Haben Sie damit nicht gerechnet oder ist Ihnen {about} nicht bekannt? Dann müssen Sie nichts tun: Ohne Ihren Klick geschieht nichts.",
    footer:
      "{product} hat Ihnen diese Mail geschickt, weil Sie mit dieser Adresse eingeladen wurden. Werbung verschickt {product} nicht.",
  },
};
