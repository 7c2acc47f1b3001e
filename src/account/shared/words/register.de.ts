import type { registerInEnglish, termsInEnglish } from "./register.en.ts";

export const registerInGerman: typeof registerInEnglish = {
  mailComes: "Wir schicken eine Mail dorthin. Mit dem Link darin zeigen Sie, dass die Adresse Ihnen gehört.",
  submit: "Konto anlegen",
  have: "Schon ein Konto?",
  closed: "Die Registrierung ist geschlossen",
  sent: {
    lead: (email) =>
      `Wir haben eine Mail an ${email} geschickt. Öffnen Sie ihren Link, um zu zeigen, dass die Adresse Ihnen gehört, und melden Sie sich dann an.`,
    otherwise: "Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach und prüfen Sie die Adresse.",
    back: "Zur Anmeldung",
  },
};

export const termsInGerman: typeof termsInEnglish = {
  accept: ["Ich stimme den ", " zu."],
  acceptBoth: ["Ich stimme den ", " zu und habe die ", " gelesen."],
  terms: "Nutzungsbedingungen",
  privacy: "Datenschutzerklärung",
  newcomer: {
    title: "Noch ein Schritt",
    lead: (provider) =>
      `${provider} sagt uns, wer Sie sind, und Sie haben hier noch kein Konto. Es entsteht, sobald Sie den Bedingungen zustimmen.`,
    cancel: "Zurück zur Anmeldung",
  },
  due: {
    title: "Unsere Bedingungen",
    lead: "Sie sind neu, oder sie haben sich geändert, seit Sie ihnen zugestimmt haben.",
    submit: "Zustimmen und weiter",
    accept: "Zustimmen",
    later: "Jetzt nicht",
    done: "Sie haben den Bedingungen zugestimmt.",
  },
};
