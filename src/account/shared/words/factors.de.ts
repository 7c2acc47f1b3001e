import type { factorsInEnglish } from "./factors.en.ts";

export const factorsInGerman: typeof factorsInEnglish = {
  ways: {
    passkey: {
      name: "Passkey verwenden",
      lead: "Ihr Gerät prüft, ob Sie es sind: mit Fingerabdruck, Gesicht oder seiner PIN.",
    },
    totp: {
      name: "Authenticator-App verwenden",
      lead: (product) => `Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App für ${product} zeigt.`,
      label: "Code",
      incomplete: "Der Code hat sechs Ziffern.",
      wrong: "Dieser Code stimmt nicht oder wurde schon benutzt. Alle 30 Sekunden zeigt Ihre App einen neuen.",
    },
    recovery_code: {
      name: "Wiederherstellungscode verwenden",
      lead: "Geben Sie einen der Codes ein, die Sie beim Einrichten aufgehoben haben. Jeder gilt einmal.",
      label: "Wiederherstellungscode",
      wrong: "Das ist keiner Ihrer Wiederherstellungscodes, oder er wurde schon benutzt.",
    },
    password: {
      name: "Passwort verwenden",
      lead: "Geben Sie noch einmal Ihr Passwort ein, um weiterzumachen.",
    },
    others: "Auf anderem Weg",
  },

  challenge: {
    title: "Noch ein Schritt",
    left: (clock) => `noch ${clock} für diesen Schritt`,
    lastMinute: "Noch eine Minute für diesen Schritt.",
    restart: "Von vorn beginnen",
    over: {
      title: "Melden Sie sich noch einmal an",
      tooLate:
        "Die fünf Minuten für diesen Schritt sind um, geändert hat sich nichts. Beginnen Sie von vorn, wann Sie möchten.",
      void: "Diese Anmeldung lässt sich nicht beenden: Sie hat zu lange gedauert, es waren zu viele falsche Codes, oder sie wurde in einem anderen Browser begonnen. Geändert hat sich nichts.",
      submit: "Noch einmal anmelden",
    },
  },

  passkey: {
    signIn: "Mit einem Passkey anmelden",
    unknown: "Dieser Passkey ist hier nicht bekannt. Vielleicht wurde er entfernt: Melden Sie sich auf anderem Weg an.",
  },

  stuck: {
    title: "Ihr Passkey funktioniert hier nicht",
    elsewhere: (product) =>
      `Er wurde unter einer anderen Adresse von ${product} hinzugefügt und gilt nur dort. Melden Sie sich unter jener Adresse damit an.`,
    unsupported:
      "Dieser Browser kann ihn auf dieser Seite nicht verwenden. Melden Sie sich auf einem Gerät und in einem Browser an, der ihn hat.",
    help: (product) =>
      `Wenn das nicht geht, lassen Sie Ihre Anmeldung in zwei Schritten von denen zurücksetzen, die sich um die Konten von ${product} kümmern. Danach richten Sie sie neu ein.`,
  },

  undo: "Wenn nicht Sie die Anmeldung in zwei Schritten eingerichtet oder eine andere Anmeldung verknüpft haben, wählen Sie ein neues Passwort. Was hinzukam, wird dann entfernt, und Sie werden auf allen Geräten abgemeldet.",

  notCopied: "Das ließ sich nicht kopieren. Markieren und kopieren Sie es selbst.",

  setup: {
    title: "Zweiten Schritt einrichten",
    lead: (product) =>
      `${product} verlangt bei jeder Anmeldung einen zweiten Schritt, damit niemand nur mit Ihrem Passwort hineinkommt. Wählen Sie Ihren, dann geht es weiter.`,
    app: "Authenticator-App verwenden",
    goOn: "Aufgehoben, weiter",
  },

  byMail: {
    offer: "Per Mail anmelden",
    lead: "Wir schicken eine Mail mit einem Link und einem Code. Beides meldet Sie ohne Passwort an.",
    submit: "Mail schicken",
    sent: {
      lead: (login, duration) =>
        `Wenn es zu ${login} ein Konto gibt, ist eine Mail unterwegs. Öffnen Sie ihren Link oder geben Sie hier ihren Code ein. Beides gilt ${duration}.`,
      label: "Code aus der Mail",
      wrong: "Das ist nicht der Code aus der neuesten Mail, oder er ist abgelaufen.",
      again: "Noch eine Mail schicken",
      resent: "Noch eine Mail ist unterwegs. Der Code aus der vorigen gilt nicht mehr.",
    },
    link: {
      lead: "Ein Klick, und Sie sind auf diesem Gerät angemeldet.",
      dead: "Er wurde schon benutzt, ist abgelaufen oder durch einen neueren ersetzt. Lassen Sie sich eine neue Mail schicken oder melden Sie sich auf anderem Weg an.",
    },
  },

  section: {
    off: "Aus: Ihr Passwort oder ein anderer Anmeldeweg genügt.",
    on: "An: Wer nur Ihr Passwort kennt, kommt nicht hinein.",
    required: "Dieser Dienst verlangt einen zweiten Schritt, deshalb muss einer bleiben.",
    isOn: "an",

    app: {
      title: "Authenticator-App",
      about: "Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code. Den geben Sie nach dem Passwort ein.",
      setUp: "Einrichten",
      setUpOf: "Authenticator-App einrichten",
      scan: "Scannen Sie dieses Bild mit Ihrer Authenticator-App.",
      picture: "QR-Code für Ihre Authenticator-App",
      typed: "Keine Kamera? Geben Sie diesen Schlüssel in der App ein:",
      copy: "Schlüssel kopieren",
      copied: "Der Schlüssel ist kopiert.",
      here: "App auf diesem Gerät öffnen",
      label: "Code, den die App zeigt",
      submit: "Einschalten",
      done: "Ihre Authenticator-App ist eingerichtet.",
      remove: "Entfernen",
      removeOf: "Authenticator-App entfernen",
      removeTitle: "Authenticator-App entfernen?",
      removed: "Die Authenticator-App ist entfernt. Löschen Sie auch ihren Eintrag in der App.",
    },

    codes: {
      title: "Wiederherstellungscodes",
      about: "Für den Fall, dass Ihr Gerät weg ist: Mit jedem Code kommen Sie einmal hinein.",
      left: (count) => (count === 0 ? "keine" : `noch ${count}`),
      none: "Sie haben keine: Ohne sie sind Sie ausgesperrt, wenn das Gerät weg ist. Erzeugen Sie welche und heben Sie sie sicher auf.",
      few: "Erzeugen Sie neue, bevor sie ausgehen.",
      make: "Codes erzeugen",
      renew: "Neue Codes erzeugen",
      renewTitle: "Neue Wiederherstellungscodes erzeugen?",
      renewMeans: "Die Codes, die Sie haben, gelten dann sofort nicht mehr.",
      save: "Heben Sie Ihre Wiederherstellungscodes auf",
      lead: "Ist Ihr Gerät weg, kommen Sie mit einem dieser Codes hinein. Jeder gilt einmal. Sie werden nur jetzt gezeigt und nie wieder.",
      copy: "Kopieren",
      copied: "Die Codes sind kopiert.",
      print: "Drucken",
      done: "Ich habe sie aufgehoben",
      head: (product, email) => `Wiederherstellungscodes von ${email} für ${product}`,
      each: "Jeder Code gilt einmal.",
    },

    passkeys: {
      title: "Passkeys",
      about:
        "Ihr Gerät oder Ihr Passwortmanager bewahrt einen Passkey auf. Damit melden Sie sich mit Fingerabdruck, Gesicht oder PIN an, ohne Passwort.",
      unsupported: "Dieser Browser kann keine Passkeys anlegen.",
      openThere: (domain) =>
        `Passkeys werden bei ${domain} angelegt. Öffnen Sie diese Seite dort, um einen hinzuzufügen.`,
      add: "Passkey hinzufügen",
      added: (name) => `${name} ist hinzugefügt. Geben Sie ihm einen Namen, an dem Sie ihn erkennen.`,
      since: "Hinzugefügt",
      unused: "noch nicht benutzt",
      elsewhere: (domain) => `Gilt nur bei ${domain}`,
      rename: "Umbenennen",
      renameOf: (name) => `${name} umbenennen`,
      name: "Name",
      renamed: (name) => `Er heißt jetzt ${name}.`,
      remove: "Entfernen",
      removeOf: (name) => `${name} entfernen`,
      removeTitle: (name) => `${name} entfernen?`,
      removeMeans:
        "Er meldet Sie nicht mehr an. Vielleicht bietet Ihr Gerät oder Ihr Passwortmanager ihn weiter an: Löschen Sie ihn auch dort.",
      removed: (name) => `${name} ist entfernt.`,
    },

    last: "Das ist Ihr einziger zweiter Schritt: Ohne ihn genügt ein Schritt zur Anmeldung, und Ihre Wiederherstellungscodes gelten nicht mehr.",
  },
};
