export const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const actors = ["user", "anonymous", "staff", "service", "operator", "system"] as const;

const actorWords: Readonly<Record<(typeof actors)[number], string>> = {
  user: "the user",
  anonymous: "somebody unknown",
  staff: "staff",
  service: "a service",
  operator: "a command",
  system: "Gatehouse",
};
const isActor = (actor: string): actor is (typeof actors)[number] => Object.hasOwn(actorWords, actor);

/** Who has done something that the audit log has, within a sentence; an actor of another release as it is written. */
export const actorInWords = (actor: string): string => (isActor(actor) ? actorWords[actor] : actor);
