import type { PersonScope } from "../protocol/scopes.ts";

const english = {
  consent: {
    title: (app: string) => `Let ${app} in?`,
    strangerTitle: "Let this app in?",
    claims: (name: string) => `It calls itself “${name}”.`,
    as: (name: string) => `You are signed in as ${name}.`,
    other: "Use another account",
    wants: "It wants to",
    calls: (server: string) => `call ${server} in your name`,
    leads: "You then go on to",
    unchecked: "Nobody here has checked this app. Go on only if you have just begun this yourself.",
    allow: "Allow",
    deny: "Cancel",
    withdraw: "You can take this back at any time in your account.",
  },
  scopes: {
    openid: "know you by an id of your account",
    profile: "see your name, your user name, your picture, your language and your time zone",
    email: "see your email address",
    roles: "see your roles",
    organizations: "see the organizations that you are in, and what you are there",
    offline_access: "go on when you are not here, until you take that back",
  } satisfies Record<PersonScope, string>,
  noRole: {
    title: (app: string) => `You can't use ${app}`,
    text: (name: string) =>
      `The account ${name} has not been let into this app. Whoever looks after it here can change that.`,
    back: "Back to the app",
    other: "Use another account",
  },
  unknown: {
    title: "This app is not known here",
    unable: "This app can't sign you in",
    over: "Begin again in the app",
    request_over:
      "This sign-in has been finished already, or was left for too long. Go back to the app and sign in from there.",
    toAccount: "Go to your account",
    unknown_client: "An app wanted you to sign in, but it is not registered with this service.",
    unknown_redirect_uri: "An app wanted you to sign in and to be led to an address that it has not registered.",
    not_a_sign_in: "This program has no people that it signs in.",
    invalid_request: "An app wanted you to sign in, and its request can't be read.",
    advice: "You have done nothing wrong, and nothing has happened. If you know who makes the app, tell them this:",
    reference: (id: string) => `Request ${id}`,
  },
  device: {
    title: "Sign a device in",
    enter: "Type the code that your device shows. It is good for ten minutes.",
    compare: "Go on if your device shows this very code.",
    code: "Code",
    hint: "Eight letters, such as BCDF-GHJK",
    goOn: "Continue",
    wrong: "No device waits for this code. Look at it again; after ten minutes the device shows a new one.",
    tooMany: (minutes: number) =>
      `Those were too many tries. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    same: "Go on only if you have just begun this yourself, and the device in front of you shows this code:",
    from: "Address",
    when: "Asked for",
    with: "Device",
    ago: (minutes: number) =>
      minutes === 0 ? "less than a minute ago" : minutes === 1 ? "a minute ago" : `${minutes} minutes ago`,
    unknown: "unknown",
    allowed: { title: "Your device is signed in", text: "It goes on by itself. You can close this page." },
    denied: {
      title: "Nothing was let in",
      text: "The device is told that you do not allow it. You can close this page.",
    },
    another: "Type another code",
  },
  tooMany: {
    title: "Too many sign-ins at once",
    text: (minutes: number) =>
      `Your network has begun too many sign-ins to apps. Wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then go back to the app and sign in from there.`,
  },
  sending: {
    title: "One moment",
    text: "You are being led back to the app.",
    button: "Go on",
  },
  leaving: {
    title: "Go on to this app?",
    wrong: "An app has sent you here with a request that can't be done now. It wants to be told so at",
    signedOut: "You are signed out here. The app that has sent you wants you to go on to",
    goOn: "Go on",
  },
  signOut: {
    title: "Sign out?",
    text: (app: string | undefined) =>
      `${app ?? "An app"} has asked to sign you out here, and out of the other apps that you have signed in to by this account.`,
    yes: "Sign out",
    no: "Stay signed in",
  },
  signedOut: {
    title: "You have signed out",
    text: "You are signed out here, and out of the apps that you signed in to by this account. Those that may go on without you are shown in your account, under Apps.",
    again: "Sign in again",
  },
  badSignOut: {
    title: "This sign-out can't be read",
    text: "An app wanted to sign you out, and its request is wrong. You are as signed in as before.",
    advice: "If you know who makes the app, tell them this:",
    toAccount: "Go to your account",
  },
};

export type IdpWords = typeof english;

const german: IdpWords = {
  consent: {
    title: (app) => `${app} Zugang geben?`,
    strangerTitle: "Dieser App Zugang geben?",
    claims: (name) => `Sie nennt sich „${name}“.`,
    as: (name) => `Sie sind als ${name} angemeldet.`,
    other: "Anderes Konto verwenden",
    wants: "Die App möchte",
    calls: (server) => `in Ihrem Namen ${server} aufrufen`,
    leads: "Danach geht es weiter zu",
    unchecked: "Diese App hat hier niemand geprüft. Fahren Sie nur fort, wenn Sie das gerade selbst begonnen haben.",
    allow: "Erlauben",
    deny: "Abbrechen",
    withdraw: "Sie können das jederzeit in Ihrem Konto zurücknehmen.",
  },
  scopes: {
    openid: "Sie an einer Kennung Ihres Kontos wiedererkennen",
    profile: "Ihren Namen, Benutzernamen, Ihr Bild, Ihre Sprache und Zeitzone sehen",
    email: "Ihre E-Mail-Adresse sehen",
    roles: "Ihre Rollen sehen",
    organizations: "sehen, in welchen Organisationen Sie sind und was Sie dort sind",
    offline_access: "weiterarbeiten, wenn Sie nicht da sind, bis Sie das zurücknehmen",
  },
  noRole: {
    title: (app) => `Sie können ${app} nicht verwenden`,
    text: (name) => `Das Konto ${name} ist für diese App nicht freigegeben. Wer sie hier betreut, kann das ändern.`,
    back: "Zurück zur App",
    other: "Anderes Konto verwenden",
  },
  unknown: {
    title: "Diese App ist hier nicht bekannt",
    unable: "Diese App kann Sie nicht anmelden",
    over: "Beginnen Sie in der App neu",
    request_over:
      "Diese Anmeldung ist schon abgeschlossen oder wurde zu lange liegen gelassen. Gehen Sie zur App zurück und melden Sie sich von dort an.",
    toAccount: "Zum Konto",
    unknown_client: "Eine App wollte Sie anmelden, sie ist bei diesem Dienst aber nicht eingetragen.",
    unknown_redirect_uri:
      "Eine App wollte Sie anmelden und an eine Adresse weiterleiten, die sie nicht eingetragen hat.",
    not_a_sign_in: "Dieses Programm meldet niemanden an.",
    invalid_request: "Eine App wollte Sie anmelden, ihre Anfrage ist aber nicht lesbar.",
    advice:
      "Sie haben nichts falsch gemacht, und es ist nichts geschehen. Wenn Sie wissen, wer die App macht, nennen Sie dort:",
    reference: (id) => `Anfrage ${id}`,
  },
  device: {
    title: "Ein Gerät anmelden",
    enter: "Geben Sie den Code ein, den Ihr Gerät zeigt. Er gilt zehn Minuten.",
    compare: "Fahren Sie fort, wenn Ihr Gerät genau diesen Code zeigt.",
    code: "Code",
    hint: "Acht Buchstaben, etwa BCDF-GHJK",
    goOn: "Weiter",
    wrong:
      "Auf diesen Code wartet kein Gerät. Sehen Sie noch einmal nach; nach zehn Minuten zeigt das Gerät einen neuen.",
    tooMany: (minutes) =>
      `Das waren zu viele Versuche. In ${minutes === 1 ? "einer Minute" : `${minutes} Minuten`} geht es wieder.`,
    same: "Fahren Sie nur fort, wenn Sie das gerade selbst begonnen haben und das Gerät vor Ihnen diesen Code zeigt:",
    from: "Adresse",
    when: "Angefragt",
    with: "Gerät",
    ago: (minutes) =>
      minutes === 0 ? "vor weniger als einer Minute" : minutes === 1 ? "vor einer Minute" : `vor ${minutes} Minuten`,
    unknown: "unbekannt",
    allowed: {
      title: "Ihr Gerät ist angemeldet",
      text: "Es macht von selbst weiter. Sie können diese Seite schließen.",
    },
    denied: {
      title: "Nichts wurde erlaubt",
      text: "Das Gerät erfährt, dass Sie es nicht erlauben. Sie können diese Seite schließen.",
    },
    another: "Anderen Code eingeben",
  },
  tooMany: {
    title: "Zu viele Anmeldungen auf einmal",
    text: (minutes) =>
      `Aus Ihrem Netz wurden zu viele Anmeldungen bei Apps begonnen. Warten Sie ${minutes === 1 ? "eine Minute" : `${minutes} Minuten`}, gehen Sie dann zur App zurück und melden Sie sich von dort an.`,
  },
  sending: {
    title: "Einen Moment",
    text: "Sie werden zur App zurückgeleitet.",
    button: "Weiter",
  },
  leaving: {
    title: "Weiter zu dieser App?",
    wrong:
      "Eine App hat Sie mit einer Anfrage hergeschickt, die sich gerade nicht erfüllen lässt. Sie möchte das erfahren bei",
    signedOut: "Sie sind hier abgemeldet. Die App, die Sie hergeschickt hat, möchte Sie weiterleiten zu",
    goOn: "Weiter",
  },
  signOut: {
    title: "Abmelden?",
    text: (app) =>
      `${app ?? "Eine App"} möchte Sie hier abmelden und auch von den anderen Apps, bei denen Sie sich mit diesem Konto angemeldet haben.`,
    yes: "Abmelden",
    no: "Angemeldet bleiben",
  },
  signedOut: {
    title: "Sie sind abgemeldet",
    text: "Sie sind hier abgemeldet und auch von den Apps, bei denen Sie sich mit diesem Konto angemeldet hatten. Welche ohne Sie weiterarbeiten dürfen, zeigt Ihr Konto unter „Apps“.",
    again: "Wieder anmelden",
  },
  badSignOut: {
    title: "Diese Abmeldung ist nicht lesbar",
    text: "Eine App wollte Sie abmelden, ihre Anfrage ist aber falsch. An Ihrer Anmeldung hat sich nichts geändert.",
    advice: "Wenn Sie wissen, wer die App macht, nennen Sie dort:",
    toAccount: "Zum Konto",
  },
};

export const idpWords = { en: english, de: german } as const;
