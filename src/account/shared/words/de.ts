import type { Words } from "./en.ts";

export const german: Words = {
  tag: "de",
  name: "Deutsch",
  titles: {
    "/login": "Anmelden",
    "/register": "Konto anlegen",
    "/forgot-password": "Passwort vergessen?",
    "/reset-password": "Neues Passwort wählen",
    "/verify-email": "Adresse bestätigen",
    "/undo-email-change": "Alte Adresse wiederherstellen",
    "/account": "Ihr Konto",
  },
  noScript:
    "Diese Seite braucht JavaScript, und dieser Browser führt es nicht aus. Erlauben Sie es für diese Website und laden Sie die Seite neu.",
  toContent: "Zum Inhalt springen",
  loading: "Wird geladen",
  slow: "Das dauert länger als sonst. Vielleicht ist Ihre Verbindung langsam.",
  optional: "freiwillig",

  trouble: {
    offline: "Sie sind offline. Ihre Eingaben bleiben stehen; versuchen Sie es noch einmal, sobald Sie verbunden sind.",
    unreachable:
      "Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung oder versuchen Sie es gleich noch einmal.",
    unavailable: "Der Dienst steht gerade nicht zur Verfügung. Versuchen Sie es gleich noch einmal.",
    maintenance: "Der Dienst wird gerade gewartet und ist in Kürze wieder da.",
    broken: "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.",
    sessionEnded: "Sie wurden abgemeldet. Melden Sie sich wieder an, um weiterzumachen.",
    reference: (id) => `Kennung für den Support: ${id}`,
    again: "Noch einmal versuchen",
  },

  fields: {
    login: "E-Mail-Adresse oder Benutzername",
    email: "E-Mail-Adresse",
    name: "Name",
    password: "Passwort",
    newPassword: "Neues Passwort",
    remember: "Auf diesem Gerät angemeldet bleiben",
  },

  faults: {
    required: (label) => `${label} fehlt.`,
    invalid_email: "Das ist keine E-Mail-Adresse. Eine sieht so aus: ada@example.com.",
    too_long: "Das ist zu lang.",
    invalid_characters: "Das enthält Zeichen, die hier nicht möglich sind.",
    email_taken: "Zu dieser Adresse gibt es schon ein Konto.",
    username_taken: "Dieser Benutzername ist vergeben.",
    other: "Das ist hier nicht möglich.",
  },

  password: {
    show: "Zeigen",
    hide: "Verbergen",
    showLabel: "Passwort zeigen",
    hideLabel: "Passwort verbergen",
    tooShort: (least) => `Mindestens ${least} Zeichen.`,
    missing: (count) => (count === 1 ? "Noch ein Zeichen." : `Noch ${count} Zeichen.`),
    tooLong: (most) => `Höchstens ${most} Zeichen.`,
    upper: "Es fehlt ein Großbuchstabe.",
    lower: "Es fehlt ein Kleinbuchstabe.",
    number: "Es fehlt eine Ziffer.",
    symbol: "Es fehlt ein Sonderzeichen, zum Beispiel ! oder #.",
    tooCommon: "Das ist eines der häufigsten Passwörter. Wählen Sie eines, das andere nicht haben.",
    containsIdentity: "Wählen Sie etwas anderes als Ihren Namen, Ihre Adresse oder den Namen dieses Dienstes.",
    advice: "Mehrere Wörter, die nichts miteinander zu tun haben, sind sicher und leicht zu merken.",
    good: "Gutes Passwort.",
    strong: "Starkes Passwort.",
  },

  time: {
    now: "gerade eben",
    until: (time) => `bis ${time}`,
  },
};
