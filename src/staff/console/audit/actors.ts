export const actors = ["user", "anonymous", "staff", "service", "operator", "system"] as const;

const words: Readonly<Record<(typeof actors)[number], string>> = {
  user: "The user",
  anonymous: "Somebody unknown",
  staff: "Staff",
  service: "A service",
  operator: "A command",
  system: "Gatehouse",
};
const isActor = (actor: string): actor is (typeof actors)[number] => Object.hasOwn(words, actor);

/** Who did it, as people say it; an actor of another release as it is written. */
export const actorInWords = (actor: string): string => (isActor(actor) ? words[actor] : actor);
