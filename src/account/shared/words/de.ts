import { factorsInGerman } from "./factors.de.ts";
import { registerInGerman, termsInGerman } from "./register.de.ts";
import type { Words } from "./en.ts";

export const german: Words = {
  tag: "de",
  titles: {
    "/login": "Anmelden",
    "/register": "Konto anlegen",
    "/forgot-password": "Passwort vergessen?",
    "/reset-password": "Neues Passwort wählen",
    "/verify-email": "E-Mail-Adresse bestätigen",
    "/undo-email-change": "Alte Adresse zurückholen",
    "/accept-invitation": "Ihre Einladung",
    "/email-login": "Per Mail anmelden",
    "/account": "Ihr Konto",
    "/account/organization": "Organisation",
  },
  noScript:
    "Diese Seite braucht JavaScript, und dieser Browser führt es nicht aus. Erlauben Sie es für diese Website und laden Sie die Seite neu.",
  loading: "Wird geladen",
  slow: "Das dauert länger als sonst. Vielleicht ist Ihre Verbindung langsam.",

  trouble: {
    unloaded: "Diese Seite wurde nicht geladen",
    changing: "Vielleicht wechselt der Dienst gerade auf eine neue Version. Versuchen Sie es gleich noch einmal.",
    offline:
      "Sie sind offline. Was Sie eingegeben haben, bleibt stehen: Versuchen Sie es noch einmal, sobald Sie wieder verbunden sind.",
    unreachable:
      "Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung oder versuchen Sie es gleich noch einmal.",
    unavailable: "Der Dienst steht gerade nicht zur Verfügung. Versuchen Sie es gleich noch einmal.",
    maintenance: "Der Dienst wird gerade gewartet und ist in Kürze wieder da.",
    broken: "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.",
    reference: (id) => `Kennung für den Support: ${id}`,
    again: "Noch einmal versuchen",
  },

  fields: {
    login: "E-Mail-Adresse oder Benutzername",
    email: "E-Mail-Adresse",
    name: "Name (freiwillig)",
    password: "Passwort",
    newPassword: "Neues Passwort",
    remember: "Angemeldet bleiben",
  },

  faults: {
    required: (label) => `${label} fehlt.`,
    invalid_email: "Das ist keine E-Mail-Adresse. Eine sieht so aus: ada@example.com.",
    look_alike_email:
      "Vor dem @ stehen Zeichen, die gewöhnlichen Buchstaben nur ähnlich sehen. Tippen Sie die Adresse mit der Tastatur ein.",
    too_long: "Das ist zu lang.",
    invalid_characters: "Das enthält Zeichen, die hier nicht möglich sind.",
    email_taken: "Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an oder setzen Sie sein Passwort zurück.",
    username_taken: "Dieser Benutzername ist vergeben.",
    domain_not_allowed:
      "Adressen dieser Domain sind hier nicht möglich. Nehmen Sie eine andere, zum Beispiel die Ihrer Arbeit.",
    terms_required: "Stimmen Sie zu, um weiterzugehen.",
    invalid_username:
      "Ein Benutzername hat 1 bis 64 Buchstaben, Ziffern, Leerzeichen oder . _ - und beginnt mit einem Buchstaben oder einer Ziffer.",
    foreign_address: "Eine E-Mail-Adresse kann nur bei dem Konto Benutzername sein, zu dem sie gehört.",
    invalid_url: "Das ist keine Adresse eines Bildes. Eine sieht so aus: https://example.com/ada.jpg.",
    wrong_password: "Das ist nicht Ihr aktuelles Passwort.",
    missing_upper: "Es fehlt ein Großbuchstabe.",
    missing_lower: "Es fehlt ein Kleinbuchstabe.",
    missing_number: "Es fehlt eine Ziffer.",
    missing_symbol: "Es fehlt ein Sonderzeichen, zum Beispiel ! oder #.",
    too_common: "Das ist eines der häufigsten Passwörter. Wählen Sie eines, das andere nicht haben.",
    breached_password:
      "Dieses Passwort ist durch Datenlecks anderswo bekannt. Angreifer probieren es früh; wählen Sie ein anderes.",
    contains_identity: "Wählen Sie etwas anderes als Ihren Namen, Ihre Adresse oder den Namen dieses Dienstes.",
    other: "Das ist hier nicht möglich.",
  },

  password: {
    show: "Zeigen",
    hide: "Verbergen",
    showLabel: "Passwort zeigen",
    hideLabel: "Passwort verbergen",
    advice: (least) =>
      `Mindestens ${least} Zeichen. Ein paar Wörter, die nichts miteinander zu tun haben, kann man sich gut merken.`,
    missing: (count) => (count === 1 ? "Noch ein Zeichen." : `Noch ${count} Zeichen.`),
    tooLong: (most) => `Höchstens ${most} Zeichen.`,
    good: "Gutes Passwort.",
    strong: "Starkes Passwort.",
  },

  waits: {
    locked: "Zu viele falsche Passwörter",
    lockedUntil: (time) => `Ab ${time} können Sie sich wieder anmelden, mit einem neuen Passwort sofort.`,
    limited: "Zu viele Versuche",
    limitedUntil: (time) => `Ab ${time} können Sie es wieder versuchen.`,
    left: (clock) => `noch ${clock}`,
    awake: "Sie können es jetzt wieder versuchen.",
  },

  refusals: {
    invalid_credentials:
      "Dieses Passwort passt nicht zu dieser E-Mail-Adresse oder diesem Benutzernamen. Prüfen Sie beides und versuchen Sie es noch einmal.",
    account_inactive: "Dieses Konto ist stillgelegt. Wer diesen Dienst betreibt, kann es wieder freigeben.",
    denied_by_hook: "Das wurde nicht erlaubt. Fragen Sie nach bei denen, die diesen Dienst betreiben.",
    domain_not_allowed:
      "Der Anbieter hat uns eine Adresse gegeben, deren Domain hier nicht möglich ist. Nehmen Sie dort ein Konto mit einer anderen Adresse.",
    terms_required: "Ein Konto bekommt hier erst, wer den Bedingungen zugestimmt hat.",
    registration_closed: "Neue Konten legt hier zurzeit nur an, wer diesen Dienst betreibt.",
    oauth_denied: "Die Anmeldung wurde beim Anbieter abgebrochen. Geändert hat sich nichts.",
    oauth_email_missing:
      "Vom Anbieter kam keine bestätigte E-Mail-Adresse. Bestätigen Sie dort eine oder melden Sie sich anders an.",
    identity_link_required:
      "Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich dort mit dem Passwort an und verknüpfen Sie den Anbieter auf Ihrer Kontoseite.",
    identity_already_linked: "Diese Anmeldung ist mit einem anderen Konto verknüpft. Lösen Sie sie zuerst dort.",
    invalid_oauth_state:
      "Diese Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginnen Sie noch einmal.",
    oauth_exchange_failed:
      "Der Anbieter lässt sich gerade nicht nutzen. Versuchen Sie es gleich noch einmal oder melden Sie sich anders an.",
    reauthentication_required:
      "Melden Sie sich noch einmal an, bevor Sie einen Anbieter verknüpfen: Ihre letzte Anmeldung ist eine Weile her.",
    last_auth_method:
      "Das ist Ihr einziger Anmeldeweg, deshalb bleibt er. Legen Sie zuerst ein Passwort fest oder verknüpfen Sie einen anderen Anbieter.",
    invitation_sign_in_required:
      "Zu der eingeladenen Adresse gibt es schon ein Konto. Melden Sie sich dort an und nehmen Sie die Einladung dann an.",
    invalid_code: "Das wurde nicht angenommen. Versuchen Sie es noch einmal oder auf anderem Weg.",
    invalid_challenge:
      "Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginnen Sie noch einmal.",
    mfa_setup_required: "Richten Sie zuerst einen zweiten Schritt ein.",
    factor_exists: "Das ist schon eingerichtet. Laden Sie die Seite neu, um es zu sehen.",
    factor_not_found:
      "Das wurde inzwischen entfernt, oder die Zeit dafür ist um. Laden Sie die Seite neu und beginnen Sie noch einmal.",
    passkey_limit: "Für weitere Passkeys ist kein Platz. Entfernen Sie zuerst einen, den Sie nicht benutzen.",
    passkey_cancelled:
      "Von Ihrem Gerät kam kein Passkey: Seine Frage wurde geschlossen oder nicht rechtzeitig beantwortet. Versuchen Sie es noch einmal, wann Sie möchten.",
    passkey_exists: "Dieses Gerät hat schon einen Passkey für Ihr Konto.",
    passkey_unsupported:
      "Dieser Browser kann hier keinen Passkey verwenden. Nehmen Sie einen anderen Weg oder einen anderen Browser.",
    wrong_address:
      "Das geht nicht unter der Adresse, unter der diese Seite geöffnet ist. Öffnen Sie sie unter ihrer üblichen Adresse.",
    email_login_disabled: "Per Mail meldet sich hier niemand mehr an. Nehmen Sie einen anderen Weg.",
    other: "Das hat nicht geklappt. Versuchen Sie es noch einmal.",
  },

  signIn: {
    goOn: "und weiter zu",
    forDevice: "und dann ein Gerät anmelden",
    submit: "Anmelden",
    forgot: "Passwort vergessen?",
    or: "oder",
    provider: (label) => `Weiter mit ${label}`,
    newHere: "Noch kein Konto?",
    register: "Konto anlegen",
    farewell: {
      ended: "Sie wurden abgemeldet. Melden Sie sich wieder an, um weiterzumachen.",
      everywhere: "Sie sind auf allen Geräten abgemeldet.",
      deleted: "Ihr Konto ist gelöscht.",
    },
    signedInAs: (name) => `Sie sind als ${name} angemeldet.`,
    continueAs: "Weiter",
    another: "Anderes Konto verwenden",
    back: "Zurück zur Anmeldung",
    unverified: {
      title: "Bestätigen Sie zuerst Ihre Adresse",
      lead: "Ihr Passwort stimmt. Hinein kommen Sie, sobald Sie gezeigt haben, dass die Adresse Ihnen gehört.",
      sent: (duration) =>
        `Wir haben Ihnen eine Mail mit einem Link geschickt, der ${duration} lang gilt. Sehen Sie auch im Spam-Ordner nach.`,
    },
  },

  register: registerInGerman,

  terms: termsInGerman,

  forgot: {
    lead: "Sagen Sie uns, wer Sie sind, und wir schicken einen Link an die Adresse des Kontos.",
    submit: "Link schicken",
    sent: {
      title: "Sehen Sie in Ihre Mails",
      lead: (login) => `Wenn es zu ${login} ein Konto gibt, ist eine Mail mit einem Link unterwegs.`,
      validity: (duration) => `Der Link gilt einmal und ${duration} lang.`,
      otherwise: "Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder prüfen Sie Ihre Eingabe.",
      again: "Andere Adresse versuchen",
      local: "Diese App läuft lokal und antwortet mit dem Link, statt ihn zu verschicken:",
      open: "Neues Passwort wählen",
    },
  },

  link: {
    title: "Dieser Link gilt nicht mehr",
    reset:
      "Er wurde schon benutzt, ist abgelaufen oder durch einen neueren ersetzt. Lassen Sie sich einen neuen schicken.",
    resetAgain: "Neuen Link anfordern",
    resetPassword: "Passwort zurücksetzen",
    verify:
      "Er wurde schon benutzt, ist abgelaufen oder durch einen neueren ersetzt. Melden Sie sich an, dann können Sie sich einen neuen schicken lassen.",
    undo: "Er wurde schon benutzt oder ist abgelaufen. Wenn Ihr Konto nicht sicher ist, setzen Sie sein Passwort zurück.",
    incompleteTitle: "Dieser Link ist unvollständig",
    incomplete:
      "Ein Teil dieser Adresse fehlt. Öffnen Sie den Link in der Mail noch einmal oder kopieren Sie die ganze Adresse.",
    taken: "Inzwischen gehört diese Adresse zu einem anderen Konto, deshalb wurde nichts geändert.",
  },

  /** The words of acts and questions that several pages have. */
  acts: {
    signOut: "Abmelden",
    onThisPage: "Auf dieser Seite",
    save: "Speichern",
    cancel: "Abbrechen",
    notLoaded: "Das konnte nicht geladen werden.",
    download: "Herunterladen",
    exported: (name) => `${name} liegt in Ihren Downloads.`,
    keep: "Behalten",
    currentPassword: "Aktuelles Passwort",
    proof: {
      title: "Sind Sie es?",
      lead: "Ihre Anmeldung ist eine Weile her. Zeigen Sie noch einmal, dass Sie es sind, dann geht es weiter.",
      byProvider:
        "Ihre Anmeldung ist eine Weile her. Melden Sie sich noch einmal an, kommen Sie hierher zurück und versuchen Sie es dann noch einmal.",
      provider: (label) => `Mit ${label} anmelden`,
    },
  },

  factors: factorsInGerman,

  time: {
    now: "gerade eben",
    minutes: (count) => (count === 1 ? "eine Minute" : `${count} Minuten`),
    hours: (count) => (count === 1 ? "eine Stunde" : `${count} Stunden`),
  },
};
