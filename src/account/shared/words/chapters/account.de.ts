import type { AccountWords } from "./account.en.ts";

export const accountInGerman: AccountWords = {
  sections: {
    profile: "Profil",
    email: "E-Mail-Adresse",
    password: "Passwort",
    factors: "Anmeldung in zwei Schritten",
    sessions: "Geräte",
    organizations: "Organisationen",
    apps: "Apps",
    identities: "Andere Anmeldewege",
    tokens: "Persönliche Token",
    data: "Ihre Daten",
  },

  profile: {
    change: "Profil bearbeiten",
    username: "Benutzername",
    usernameIsEmail: "Ihre E-Mail-Adresse",
    avatar: "Bild",
    avatarField: "Adresse eines Bildes (freiwillig)",
    avatarHint: "Apps, bei denen Sie sich anmelden, können es zeigen. Sie beginnt mit https://.",
    name: "Name",
    language: "Sprache",
    languageHint: "Für diese Seite und die Mails, die Sie bekommen.",
    byBrowser: (name) => `Wie in diesem Browser (${name})`,
    timezone: "Zeitzone",
    timezoneHint: "Für die Zeiten auf dieser Seite und in den Mails, die Sie bekommen.",
    byDevice: (zone) => `Wie auf diesem Gerät (${zone})`,
    saved: "Ihr Profil ist gespeichert.",
  },

  email: {
    verified: "bestätigt",
    unverified: "nicht bestätigt",
    unverifiedMeans:
      "Zeigen Sie, dass diese Adresse Ihnen gehört: Wir schicken eine Mail dorthin, und Sie öffnen deren Link.",
    send: "Mail schicken",
    waiting: (pending) => `${pending} wartet auf Ihre Bestätigung`,
    waitingMeans: (current) =>
      `Öffnen Sie den Link in der Mail, die wir dorthin geschickt haben. Bis dahin bleibt ${current} Ihre Adresse.`,
    resend: "Mail noch einmal schicken",
    resent: "Die Mail ist unterwegs. Das kann ein paar Minuten dauern; sehen Sie auch im Spam-Ordner nach.",
    keep: "Aktuelle Adresse behalten",
    kept: "Ihre Adresse bleibt, wie sie ist.",
    change: "Adresse ändern",
    next: "Neue E-Mail-Adresse",
    changeMeans: "Wir schicken eine Mail an die neue Adresse. Sobald Sie deren Link öffnen, ersetzt sie die alte.",
    asked: (pending) => `Wir haben eine Mail an ${pending} geschickt.`,
    unchanged: "Das ist schon Ihre Adresse.",
    needsPassword: "Um Ihre Adresse zu ändern, legen Sie zuerst ein Passwort fest.",
    local: "Diese App läuft lokal und antwortet auch gleich mit dem Link:",
  },

  password: {
    has: "Sie melden sich mit einem Passwort an.",
    none: "Sie haben kein Passwort: Sie melden sich auf andere Weise an.",
    change: "Passwort ändern",
    changed: "Ihr Passwort ist geändert. Auf allen anderen Geräten sind Sie abgemeldet.",
    ends: "Hier bleiben Sie angemeldet, auf allen anderen Geräten werden Sie abgemeldet.",
    set: "Passwort per Mail festlegen",
    setMeans: "Sobald Sie über den Link in der Mail eines wählen, werden Sie auf allen Geräten abgemeldet.",
    sent: (email) => `Wir haben eine Mail an ${email} geschickt. Ihr Link führt zu Ihrem neuen Passwort.`,
  },

  sessions: {
    state: (count) =>
      count === 1 ? "Sie sind nur auf diesem Gerät angemeldet." : `Sie sind auf ${count} Geräten angemeldet.`,
    device: (program, system) => `${program} auf ${system}`,
    unknown: "Unbekanntes Gerät",
    current: "Dieses Gerät",
    now: "Gerade aktiv",
    lastSeen: "Zuletzt aktiv",
    since: "Angemeldet",
    end: "Abmelden",
    endOf: (device, address) => `${device}, ${address} abmelden`,
    ended: (device) => `${device} ist abgemeldet.`,
    others: (count) => `Alle ${count} zeigen`,
    everywhere: "Überall abmelden",
    everywhereTitle: "Überall abmelden?",
    everywhereMeans: (count) =>
      count === 1
        ? "Sie werden auf diesem Gerät abgemeldet und müssen sich neu anmelden."
        : `Sie werden auf allen ${count} Geräten abgemeldet, auch auf diesem, und müssen sich neu anmelden.`,
  },

  apps: {
    state: (count) =>
      count === 0
        ? "Keine App hat Zugang zu Ihrem Konto."
        : `Sie haben mit diesem Konto ${count === 1 ? "einer App" : `${count} Apps`} Zugang gegeben.`,
    sees: (list) => `Darf sehen: ${list}.`,
    calls: (list) => `Darf in Ihrem Namen ${list} aufrufen.`,
    seesNothing: "Kennt nur eine Kennung Ihres Kontos, sonst nichts.",
    staysIn: "Darf weiterarbeiten, wenn Sie nicht da sind.",
    scopes: {
      profile: "Ihr Profil (Name, Bild, Sprache, Zeitzone)",
      email: "Ihre E-Mail-Adresse",
      roles: "Ihre Rollen",
      organizations: "Ihre Organisationen",
    },
    since: "Seit",
    lastUsed: "zuletzt aktiv",
    signedOut: "derzeit abgemeldet",
    end: "Zugang beenden",
    endOf: (name) => `Zugang beenden: ${name}`,
    endTitle: (name) => `Zugang von ${name} beenden?`,
    endMeans:
      "Die App wird abgemeldet und erfährt nichts Neues mehr über Sie. Wenn Sie sich wieder bei ihr anmelden, geben Sie ihr neu Zugang.",
    ended: (name) => `${name} hat keinen Zugang mehr.`,
  },

  identities: {
    state: (labels) => `Sie können sich mit ${labels} anmelden.`,
    none: "Kein Anbieter ist verknüpft. Verknüpfen Sie einen, dann können Sie sich auch damit anmelden.",
    unavailable: "wird hier nicht mehr angeboten",
    linked: "Verknüpft",
    lastUsed: "zuletzt benutzt",
    link: (label) => `${label} verknüpfen`,
    unlink: "Lösen",
    unlinkOf: (label) => `Verknüpfung mit ${label} lösen`,
    unlinked: (label) => `Die Verknüpfung mit ${label} ist gelöst. Damit können Sie sich nicht mehr anmelden.`,
  },

  tokens: {
    state: (count) =>
      count === 0
        ? "Mit einem Token handelt ein Skript in Ihrem Namen, wo dieser Dienst sagt, wer anfragt."
        : `${count === 1 ? "Ein Token handelt" : `${count} Token handeln`} in Ihrem Namen.`,
    make: "Token erstellen",
    makeSubmit: "Erstellen",
    name: "Wofür es ist",
    nameHint: "Damit Sie es wiedererkennen, zum Beispiel: Backup-Skript",
    lifetime: "Endet nach",
    days: (days) => (days === 365 ? "einem Jahr" : `${days} Tagen`),
    shown: (name) => `Das ist das Token „${name}“. Bewahren Sie es jetzt auf: Es wird nicht noch einmal gezeigt.`,
    copy: "Kopieren",
    copied: "Das Token ist kopiert.",
    kept: "Ich habe es",
    since: "Erstellt",
    used: "zuletzt benutzt",
    unused: "nie benutzt",
    until: "Endet",
    revoke: "Widerrufen",
    revokeOf: (name) => `${name} widerrufen`,
    revokeTitle: (name) => `„${name}“ widerrufen?`,
    revokeMeans: "Was es benutzt, wird ab jetzt abgewiesen. Das lässt sich nicht rückgängig machen.",
    revoked: (name) => `„${name}“ ist widerrufen.`,
  },

  data: {
    state: "Sie können alles mitnehmen, was hier über Sie gespeichert ist, und Sie können gehen.",
    export: "Ihre Daten als Datei",
    exportMeans:
      "Eine Datei (JSON): Ihr Profil, Ihre Geräte, Apps, verknüpfte Anbieter und was im Sicherheitsprotokoll über Sie steht.",
    kept: "Was Apps hier speichern",
    keptMeans: "Daten, die die Apps, die Sie benutzen, bei Ihrem Konto abgelegt haben.",
    keptShow: "Anzeigen",
    keptNothing: "Keine App speichert etwas bei Ihrem Konto.",
    keptByApps: "Von Apps gespeichert",
    keptByYou: "Für Sie gespeichert",
    remove: "Konto löschen",
    removeMeans: "Endgültig: Niemand kann es wiederherstellen.",
    removeTitle: "Ihr Konto löschen?",
    consequences: [
      "Sie werden auf allen Geräten abgemeldet und können sich nie wieder bei diesem Konto anmelden.",
      "Ihr Profil und alles, was dazugehört, wird gelöscht. Ein Sicherheitsprotokoll bleibt, ohne Ihren Namen und Ihre Adresse.",
      "Das lässt sich nicht rückgängig machen.",
    ],
    removeSubmit: "Mein Konto löschen",
  },
};
