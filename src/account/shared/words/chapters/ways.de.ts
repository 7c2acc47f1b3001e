import type { WaysWords } from "./ways.en.ts";

const own = (name: string): string => `\u2068${name}\u2069`;

/** The words of the ways into an organization: its domains, and a provider of its own. */
export const waysInGerman: WaysWords = {
  copy: "Kopieren",
  copyOf: (what) => `Kopieren: ${what}`,
  copied: "Kopiert.",
  remove: "Entfernen",

  domains: {
    state: (proven) =>
      proven === 0
        ? "Noch ist keine Domain nachgewiesen. Mit einer treten Leute über ihre Adresse bei oder melden sich mit Ihrem eigenen System an."
        : proven === 1
          ? "Eine Domain ist nachgewiesen."
          : `${proven} Domains sind nachgewiesen.`,
    proven: "Nachgewiesen",
    open: "Nicht nachgewiesen",
    lost: "Nachweis ist weg",
    lead: "Legen Sie diesen Eintrag dort an, wo die Domain verwaltet wird. Er muss dort bleiben.",
    type: "Typ: TXT",
    name: "Name des Eintrags",
    value: "Inhalt des Eintrags",
    verify: "Eintrag suchen",
    verifyOf: (domain) => `Eintrag von ${own(domain)} suchen`,
    verified: (domain) => `${own(domain)} ist nachgewiesen.`,
    add: "Domain hinzufügen",
    submit: "Hinzufügen",
    domain: "Domain",
    hint: "Was hinter dem @ Ihrer Adressen steht: example.com",
    fault: "Das ist keine Domain, die jemandem gehören kann. Eine sieht so aus: example.com.",
    added: (domain) => `${own(domain)} ist hinzugefügt. Weisen Sie sie mit dem Eintrag unten nach.`,
    join: "Wer über eine Adresse darunter beitritt",
    joins: {
      none: "Niemand tritt über eine Adresse darunter bei.",
      invite: "Wer eine Adresse darunter hat, bekommt den Beitritt angeboten.",
      auto: "Wer eine Adresse darunter hat, ist mit der nächsten Anmeldung Mitglied.",
    },
    modes: { none: "Niemand", invite: "Wer möchte", auto: "Alle, die sich anmelden" },
    change: "Beitritt ändern",
    changeOf: (domain) => `Ändern, wer über ${own(domain)} beitritt`,
    changed: (domain) => `Wer über ${own(domain)} beitritt, ist geändert.`,
    removeOf: (domain) => `${own(domain)} entfernen`,
    removeTitle: (domain) => `${own(domain)} entfernen?`,
    removeMeans:
      "Niemand tritt mehr darüber bei, und niemand meldet sich mehr mit einer Adresse darunter über Ihr eigenes System an. Mitglieder bleiben. Jemand anderes kann die Domain nachweisen.",
    removed: (domain) => `${own(domain)} ist entfernt.`,
  },

  provider: {
    none: "Alle melden sich auf ihren eigenen Wegen an.",
    offered: "Wer eine Adresse unter Ihren Domains hat, kann sich mit Ihrem eigenen System anmelden.",
    demanded: "Mitglieder mit einer Adresse unter Ihren Domains melden sich mit Ihrem eigenen System an, und nur so.",
    needsDomain: "Weisen Sie zuerst eine Domain nach: Ihr System spricht nur für Adressen darunter.",
    lead: "Jedes System, das OpenID Connect spricht. Tragen Sie dort diese Adresse ein:",
    redirect: "Redirect-URI",
    start: "Adresse, an der die Anmeldung beginnt",
    issuer: "Issuer",
    issuerHint: "So, wie das System sich selbst nennt: https://login.example.com",
    issuerFault:
      "Das ist keine Adresse eines solchen Systems. Sie beginnt mit https:// und liegt nicht in einem privaten Netz.",
    clientId: "Client-ID",
    secret: "Client-Secret",
    secretHint: "Es wird versiegelt aufbewahrt, und niemand sieht es wieder.",
    enforced: "Mitglieder mit einer solchen Adresse nur so hineinlassen",
    enforcedMeans: "Inhaber mit Anmeldung in zwei Schritten dürfen sich weiter auf ihren eigenen Wegen anmelden.",
    set: "Einrichten",
    change: "Ändern",
    submit: "Speichern",
    saved:
      "Es ist eingerichtet. Probieren Sie es in einem privaten Fenster aus, bevor Sie Leute nur noch so hineinlassen.",
    removeTitle: "Eigene Anmeldung entfernen?",
    removeMeans:
      "Niemand meldet sich mehr darüber an, und niemand muss es. Wer kein Passwort hat, lässt sich bei der Anmeldung eines geben.",
    removed: "Sie ist entfernt. Alle melden sich auf ihren eigenen Wegen an.",
    signOut: "Mitglieder abmelden",
    signOutTitle: "Alle abmelden, die sich so anmelden müssen?",
    signOutMeans:
      "Wer vorher angemeldet war, bleibt es bis dahin. Alle, die es betrifft, werden binnen weniger Minuten abgemeldet, auch ihre persönlichen Token enden, und sie kommen über Ihr System zurück. Sie selbst bleiben angemeldet.",
    signedOut: "Sie werden jetzt abgemeldet.",
  },

  refusals: {
    domain_taken: "Eine andere Organisation hat diese Domain nachgewiesen. Gehört sie Ihnen, fragen Sie den Betreiber.",
    domain_record_missing:
      "Der Eintrag ist noch nicht da oder noch nicht zu sehen. Bis ihn alle Welt sieht, kann eine Stunde vergehen.",
    domain_lookup_failed:
      "Kein Server hat gesagt, ob es den Eintrag gibt. Versuchen Sie es in ein paar Minuten wieder.",
    domain_not_found: "Diese Domain gibt es nicht mehr. Laden Sie die Seite neu, um zu sehen, welche es gibt.",
    domain_required: "Weisen Sie zuerst eine Domain nach.",
    provider_not_found: "Das gibt es schon nicht mehr. Laden Sie die Seite neu, um zu sehen, was eingerichtet ist.",
    provider_not_enforced: "Niemand muss sich so anmelden. Ändern Sie das zuerst.",
  },
};
