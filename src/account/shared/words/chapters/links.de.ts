import type { LinksWords } from "./links.en.ts";

/** The words of pages that a mailed link opens, and on which people get in. */
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
};
