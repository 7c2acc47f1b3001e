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

/**
 * Names the actor of an event within a sentence, an operator with the login on the host where it is known: "operator (ada)". An actor of
 * another release keeps its own word.
 */
export function actorInWords(actor: string, operator: string | null = null): string {
  if (operator !== null) return `${actor} (${operator})`;
  return isActor(actor) ? actorWords[actor] : actor;
}
