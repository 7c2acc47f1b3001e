import type { termsInEnglish } from "./terms.en.ts";

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
