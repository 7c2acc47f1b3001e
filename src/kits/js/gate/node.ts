import { isAboutCaching } from "./answers.ts";

/** An answer of a server of Node, as far as caches are concerned. */
export interface CachedAnswer {
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): unknown;
  getHeaderNames(): readonly string[];
  writeHead(...given: never[]): unknown;
}

/** Takes what a route wants of caches out of the headers that it gives with the status. */
const withoutCaching = (given: unknown): unknown =>
  typeof given === "object" && given !== null && !Array.isArray(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => !isAboutCaching(name)))
    : given;

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
