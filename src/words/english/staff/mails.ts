/** Mails as people get them. */
export const mails = {
  title: "Mails",
  lead: "What people are sent, with values that are made up: in your words and looks, as the settings of this app say.",
  language: "Language",
  subject: "Subject",
  why: "Why",
  name: "Name in the words",
  asked: "asked for",
  notice: "notice",
  words: "Its words begin with {name}",
  html: "As HTML",
  frame: "The mail as HTML",
  text: "As text",
} as const;
