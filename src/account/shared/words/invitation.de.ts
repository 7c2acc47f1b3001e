import type { invitationInEnglish } from "./invitation.en.ts";

export const invitationInGerman: typeof invitationInEnglish = {
  title: (product) => `Sie sind zu ${product} eingeladen`,
  lead: "Wählen Sie Namen und Passwort, und schon sind Sie dabei.",
  leadBy: (name) => `${name} lädt Sie ein. Wählen Sie Namen und Passwort, und schon sind Sie dabei.`,
  address: (email) => `Ihr Konto bekommt die Adresse ${email}.`,
  submit: "Konto anlegen",
  own: (email) => `Sie sind mit der eingeladenen Adresse ${email} angemeldet.`,
  ownLead: "Nehmen Sie an, und Ihr Konto bekommt, wozu es eingeladen wurde.",
  ownLeadBy: (name) => `${name} lädt Sie ein. Nehmen Sie an, und Ihr Konto bekommt, wozu es eingeladen wurde.`,
  accept: "Einladung annehmen",
  other: {
    title: "Sie haben schon ein Konto",
    lead: (email) =>
      `Zu der Adresse ${email} gibt es ein Konto. Melden Sie sich dort an und nehmen Sie die Einladung dann an.`,
    otherwise:
      "Sie haben nie eines angelegt oder kennen das Passwort nicht? Wählen Sie über eine Mail an diese Adresse ein neues Passwort und öffnen Sie dann den Link der Einladung noch einmal.",
  },
  over: {
    invalid_invitation_token: {
      title: "Dieser Link funktioniert nicht",
      lead: "Er gehört zu keiner Einladung oder zu einer von vor langer Zeit. Öffnen Sie den Link in der Mail noch einmal oder bitten Sie um eine neue Einladung.",
    },
    invitation_accepted: {
      title: "Diese Einladung wurde schon angenommen",
      lead: "Mit ihr wurde ein Konto angelegt. Waren Sie das, melden Sie sich an. Wenn nicht, sagen Sie sofort denen Bescheid, die Sie eingeladen haben.",
    },
    invitation_expired: {
      title: "Diese Einladung ist abgelaufen",
      lead: "Ihr Link galt bis zu der Zeit, die in der Mail steht. Bitten Sie um eine neue Einladung.",
    },
    invitation_withdrawn: {
      title: "Diese Einladung wurde zurückgezogen",
      lead: "Wer Sie eingeladen hat, hat sie zurückgenommen oder darf nicht mehr einladen. Fragen Sie nach, wenn Sie damit nicht gerechnet haben.",
    },
  },
};
