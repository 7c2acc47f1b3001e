import type { InvitationWords } from "./invitation.en.ts";

/** Keeps a name from turning the words around it, whichever way it is written. */
const own = (name: string): string => `\u2068${name}\u2069`;

export const invitationInGerman: InvitationWords = {
  title: (product) => `Sie sind zu ${product} eingeladen`,
  lead: "Wählen Sie Namen und Passwort, und schon sind Sie dabei.",
  leadBy: (name) => `${name} lädt Sie ein. Wählen Sie Namen und Passwort, und schon sind Sie dabei.`,
  address: (email) => `Ihr Konto bekommt die Adresse ${email}.`,
  submit: "Konto anlegen",
  own: (email) => `Sie sind mit der eingeladenen Adresse ${email} angemeldet.`,
  ownLead: "Nehmen Sie an, und Ihr Konto bekommt, wozu es eingeladen wurde.",
  ownLeadBy: (name) => `${name} lädt Sie ein. Nehmen Sie an, und Ihr Konto bekommt, wozu es eingeladen wurde.`,
  accept: "Einladung annehmen",
  to: {
    title: (organization) => `${own(organization)} beitreten`,
    submit: "Konto anlegen und beitreten",
    own: "Sie sind eingeladen.",
    ownBy: (name) => `${own(name)} lädt Sie ein.`,
    accept: "Beitreten",
    already: {
      title: (organization) => `Sie sind schon bei ${own(organization)}`,
      lead: "Es gibt nichts mehr anzunehmen.",
      way: "Zu Ihrem Konto",
    },
  },
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
      lead: "Jemand hat sie über diesen Link angenommen. Waren Sie das, melden Sie sich an. Wenn nicht, sagen Sie sofort denen Bescheid, die Sie eingeladen haben.",
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
  refusals: {
    limit_reached:
      "Für ein weiteres Mitglied ist kein Platz, oder Sie sind schon in so vielen Organisationen wie möglich.",
  },
};
