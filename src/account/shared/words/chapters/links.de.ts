import type { LinksWords } from "./links.en.ts";

/** The words of pages that a mailed link opens. */
export const linksInGerman: LinksWords = {
  reset: {
    added: {
      title: "In den letzten sieben Tagen hinzugekommen",
      lead: "Was Sie nicht ankreuzen, wird mit dem alten Passwort entfernt, falls jemand anderes es hinzugefügt hat.",
      keep: (what) => `Behalten: ${what}`,
      identity: (name) => `Anmeldung über ${name}`,
      totp: "Authenticator-App",
      passkey: (name) => `Passkey „${name}“`,
    },
    lead: "Sobald Sie ein neues Passwort wählen, werden Sie auf allen Geräten abgemeldet.",
    submit: "Passwort ändern",
    first: {
      title: "Erstes Passwort wählen",
      lead: "Ihr Konto hat noch kein Passwort. Künftig melden Sie sich mit dem an, das Sie hier wählen.",
      submit: "Passwort festlegen",
      done: {
        title: "Ihr Passwort ist festgelegt",
        lead: "Melden Sie sich jetzt damit an. Geräte, die angemeldet waren, sind abgemeldet.",
      },
    },
    done: {
      title: "Ihr Passwort ist geändert",
      lead: "Sie sind auf allen Geräten abgemeldet. Melden Sie sich mit dem neuen Passwort an.",
    },
  },
  ownProvider: {
    title: "Mit Ihrer Organisation anmelden",
    lead: "Ihre Organisation meldet ihre Leute mit einem eigenen System an. Ein Passwort oder ein Link aus einer Mail führt hier nicht hinein: Melden Sie sich dort an, dann sind Sie auch hier angemeldet.",
    submit: "Weiter zur Anmeldung",
  },
  verify: {
    lead: "Mit einem Klick zeigen Sie, dass diese Adresse Ihnen gehört.",
    submit: "Adresse bestätigen",
    reject: "Das war ich nicht",
    rejectTitle: "Waren Sie das nicht?",
    rejectLead: "Dann wird abgemeldet, wer Ihre Adresse benutzt hat, und kommt damit nicht mehr hinein.",
    rejectSubmit: "Das war ich nicht",
    itWasMe: "Doch, Adresse bestätigen",
    done: {
      title: "Ihre Adresse ist bestätigt",
      lead: (email) => `${email} gehört jetzt zu Ihrem Konto.`,
      goOn: "Weiter",
    },
    rejected: {
      title: "Danke für den Hinweis",
      lead: "Mit Ihrer Adresse kommt hier jetzt niemand mehr hinein. Mehr müssen Sie nicht tun und können diese Seite schließen.",
    },
  },
  undo: {
    lead: "Ihr Konto behält die Adresse, an die diese Mail ging, oder bekommt sie zurück. Alle Geräte werden abgemeldet, und Sie erhalten eine Mail, mit der Sie ein neues Passwort wählen.",
    submit: "Zurückholen",
    done: {
      title: "Ihre alte Adresse ist wieder da",
      lead: "Alle Geräte sind abgemeldet. Eine Mail, mit der Sie ein neues Passwort wählen, ist unterwegs: Tun Sie das bald, denn wer die Adresse geändert hat, kennt vielleicht das alte.",
    },
  },
};
