import { isAboutCaching } from "./answers.ts";

/** An answer of a server of Node, as far as caches are concerned. */
export interface CachedAnswer {
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): unknown;
  getHeaderNames(): readonly string[];
  writeHead(...given: never[]): unknown;
}

/** Takes what a route wants of caches out of the headers that it gives with the status: an object, or a list of names and values by turns. */
function withoutCaching(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  if (Array.isArray(given)) return given.filter((_, at) => !isAboutCaching(String(given[at - (at % 2)])));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isAboutCaching(name)));
}

/** Has no cache keep the answer where it is a person's once it is sent, whatever its route wants. */
export function keepFromCaches(answer: CachedAnswer, isPersonal: () => boolean): void {
  const { writeHead } = answer;
  answer.writeHead = (...given: unknown[]): unknown => {
    const written = isPersonal() ? given.map(withoutCaching) : given;
    if (isPersonal()) {
      for (const name of answer.getHeaderNames()) if (isAboutCaching(name)) answer.removeHeader(name);
      answer.setHeader("cache-control", "private, no-store");
    }
    const outcome: unknown = Reflect.apply(writeHead, answer, written);
    return outcome;
  };
}
