import type { Component } from "./contents/component.ts";

/** Returns the licences of a binary's components as text: each once, under the names of all components that have it. */
export function writeNotices(components: readonly Component[]): string {
  const byText = Map.groupBy(components, ({ text }) => text.trim().replaceAll("\r\n", "\n"));
  const chapters = [...byText].map(([text, holders]) => ({ text, names: holders.map(nameOf).toSorted() }));
  const ordered = chapters.toSorted((one, other) => ((one.names[0] ?? "") < (other.names[0] ?? "") ? -1 : 1));
  const parts = ordered.map(
    ({ text, names }) => `${"=".repeat(80)}\n${names.join("\n")}\n${"-".repeat(80)}\n\n${text}\n`,
  );
  return `This program holds the work of others, under these licences.\n\n${parts.join("\n")}`;
}

const nameOf = ({ name, version, license, url }: Component): string =>
  [name, version, `(${license ?? "no licence is named"})`, url].filter((part) => part !== undefined).join(" ");

/** Compresses the notices into text, for a constant of the binary. */
export const packNotices = (text: string): string =>
  Buffer.from(Bun.gzipSync(Buffer.from(text), { library: "libdeflate", level: 12 })).toString("base64");
