import { UsageError } from "../../command.ts";

/** Returns the address of a URL without the query, which may hold a token. */
export function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Reads the name of a configured webhook or hook, also as variables write it: in capitals with underscores. */
export function readName(what: "webhook" | "hook", text: string, known: readonly string[]): string {
  const name = text.toLowerCase().replaceAll("_", "-");
  if (known.includes(name)) return name;
  throw new UsageError(
    `${JSON.stringify(text)} is no ${what}: ${known.length === 0 ? "none is configured" : `there is ${known.join(", ")}`}`,
  );
}
