import type { OrganizationWords } from "./organization.en.ts";

/** Keeps a name from turning the words around it, whichever way it is written. */
const own = (name: string): string => `\u2068${name}\u2069`;

export const organizationInGerman: OrganizationWords = {
  roles: { owner: "Inhaber", admin: "Admin", member: "Mitglied" },

  list: {
    state: (count) =>
      count === 0
        ? "Sie sind noch in keiner Organisation."
        : `Sie sind in ${count === 1 ? "einer Organisation" : `${count} Organisationen`}.`,
    actsFor: (name) => `Auf diesem Gerät handeln Sie für ${own(name)}.`,
    actsForYourself: "Auf diesem Gerät handeln Sie für sich selbst.",
    active: "Aktiv",
    switch: "Wechseln",
    switchTo: (name) => `Zu ${own(name)} wechseln`,
    yourself: "Für sich selbst handeln",
    make: "Organisation anlegen",
    makeSubmit: "Anlegen",
    name: "Name",
    nameHint: "Wie man sie nennt. Er lässt sich später ändern.",
    made: (name) => `${own(name)} ist angelegt und gehört Ihnen.`,
    joined: (name) => `Sie sind jetzt bei ${own(name)} dabei.`,
    left: (name) => `Sie haben ${own(name)} verlassen.`,
    removed: (name) => `${own(name)} ist gelöscht.`,
    most: "Sie sind schon in so vielen Organisationen wie möglich. Verlassen Sie zuerst eine, die Sie nicht brauchen.",
  },

  leave: "Verlassen",
  leaveOf: (name) => `${own(name)} verlassen`,
  leaveTitle: (name) => `${own(name)} verlassen?`,
  leaveMeans: "Was Sie dort sehen und tun dürfen, verlieren Sie. Um zurückzukommen, brauchen Sie eine neue Einladung.",

  missing: {
    title: "Diese Organisation gibt es hier nicht",
    lead: "Sie wurde gelöscht, oder Sie gehören nicht mehr dazu.",
    way: "Zu Ihrem Konto",
  },
  switchHere: "Zu dieser Organisation wechseln",
  yourRole: (roles) => `Ihre Rolle: ${roles}`,

  members: {
    title: "Mitglieder",
    state: (count) => (count === 1 ? "Eine Person ist dabei." : `${count} Personen sind dabei.`),
    you: "Sie",
    off: "Konto stillgelegt",
    more: "Mehr zeigen",
    roleOf: (name) => `Rolle von ${own(name)}`,
    also: (roles) => `außerdem ${roles}`,
    changed: (name, role) => `${own(name)}: ab jetzt ${role}.`,
    raiseTitle: (name) => `${own(name)} zum Inhaber machen?`,
    raiseMeans: "Inhaber dürfen hier alles: andere entfernen, auch Sie selbst, und die Organisation löschen.",
    raise: "Zum Inhaber machen",
    yourselfTitle: "Ihre eigene Rolle ändern?",
    yourselfMeans: "Was Sie dann nicht mehr dürfen, muss Ihnen jemand anderes zurückgeben.",
    yourself: "Meine Rolle ändern",
    remove: "Entfernen",
    removeOf: (name) => `${own(name)} entfernen`,
    removeTitle: (name) => `${own(name)} entfernen?`,
    removeMeans: "Diese Person verliert, was sie hier sehen und tun darf. Ihr Konto bleibt.",
    removed: (name) => `${own(name)} ist entfernt.`,
  },

  invitations: {
    title: "Einladungen",
    state: (count) =>
      count === "0"
        ? "Zurzeit ist niemand eingeladen."
        : count === "1"
          ? "Eine Person ist eingeladen."
          : `${count} Personen sind eingeladen.`,
    invite: "Jemanden einladen",
    submit: "Einladung senden",
    email: "E-Mail-Adresse",
    role: "Rolle",
    sent: (email) => `Eine Mail an ${own(email)} ist unterwegs.`,
    member: "Diese Person ist schon Mitglied.",
    most: "Für heute sind alle Einladungen verbraucht. Laden Sie morgen weitere Personen ein.",
    by: (name) => `Eingeladen von ${own(name)}`,
    until: "Gilt bis",
    withdraw: "Zurückziehen",
    withdrawOf: (email) => `Einladung von ${own(email)} zurückziehen`,
    withdrawn: (email) => `Die Einladung von ${own(email)} ist zurückgezogen.`,
  },

  ways: { domains: "Domains", signIn: "Eigene Anmeldung" },

  settings: {
    title: "Einstellungen",
    name: "Name",
    rename: "Namen ändern",
    renamed: (name) => `Sie heißt jetzt ${own(name)}.`,
    onlyOwner:
      "Es gibt außer Ihnen keinen Inhaber. Um sie zu übergeben oder zu verlassen, machen Sie zuerst unter „Mitglieder“ jemand anderen zum Inhaber.",
    remove: "Organisation löschen",
    removeMeans: "Endgültig, und für alle, die dazugehören.",
    removeTitle: (name) => `${own(name)} löschen?`,
    consequences: (members) => [
      members === 1
        ? "Niemand kann mehr für sie handeln."
        : `Alle ${members} Mitglieder verlieren, was sie in ihr sehen und tun dürfen.`,
      "Offene Einladungen gelten nicht mehr.",
      "Das lässt sich nicht rückgängig machen.",
    ],
    typed: "Name der Organisation",
    typedHint: (name) => `Geben Sie ihn ein, um fortzufahren: ${own(name)}`,
    notTyped: "Das ist nicht ihr Name.",
    removeSubmit: "Endgültig löschen",
  },

  ownersFirst: {
    lead: (count) =>
      count === 1
        ? "Diese Organisation hat außer Ihnen keinen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber oder löschen Sie sie:"
        : "Diese Organisationen haben außer Ihnen keinen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber oder löschen Sie sie:",
  },

  refusals: {
    forbidden:
      "Das dürfen Sie hier nicht. Vielleicht hat sich Ihre Rolle geändert: Laden Sie die Seite neu, um sie zu sehen.",
    slug_taken: "Es gibt eine Organisation mit sehr ähnlichem Namen. Wählen Sie einen anderen.",
    member_exists: "Diese Person ist schon Mitglied.",
    limit_reached: "Für mehr ist kein Platz. Fragen Sie nach bei denen, die diesen Dienst betreiben.",
    last_owner:
      "Es gibt außer Ihnen keinen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber oder löschen Sie die Organisation.",
    member_not_found: "Diese Person ist kein Mitglied mehr. Laden Sie die Seite neu, um zu sehen, wer dabei ist.",
    organization_not_found: "Diese Organisation wurde gelöscht, oder Sie gehören nicht mehr dazu.",
    invitation_not_found: "Diese Einladung gibt es nicht mehr. Laden Sie die Seite neu, um zu sehen, welche es gibt.",
    invitation_accepted: "Diese Person hat angenommen und ist jetzt Mitglied. Laden Sie die Seite neu, um es zu sehen.",
    rate_limited: "Das war zu oft in kurzer Zeit. Versuchen Sie es später noch einmal.",
  },
};
