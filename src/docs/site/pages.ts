import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Part } from "./contents.ts";
import { commandSections } from "./reference/commands.ts";
import { readDocument, routeSections } from "./reference/routes.ts";
import { eventSections, metricTable, refusalTable, variableTables } from "./reference/tables.ts";

/** What the code adds to a chapter, by the chapter's slug. */
export const additions: Readonly<Record<string, () => string>> = { "reference/variables": variableTables };

/** The pages that are made from the tables of the code, so that none of them can say anything else. */
export async function madePages(): Promise<readonly Part[]> {
  const made = (name: string, title: string, about: string, text: string): Page => ({
    slug: `code/${name}`,
    title,
    about,
    text: `${about}\n\n${text}`,
  });
  const pages = [
    made("routes", "Every route", "What each route takes, and what it answers.", routeSections(await readDocument())),
    made(
      "refusals",
      "Every refusal",
      "The `code` of an answer that is a refusal, its status and its `error`.",
      refusalTable(),
    ),
    made("commands", "Every command", "Every command of both binaries, with its options.", await commandSections()),
    made("events", "Every event", "Every event, with the fields of its payload.", eventSections()),
    made("metrics", "Every metric", "Every family of `/metrics`.", metricTable()),
  ];
  return [{ title: "From the code", folder: "code", pages }];
}

const documents = [
  ["src/client/README.md", "client", "The client's own README", "how to use `gatehouse-client`"],
  ["SECURITY.md", "security", "Security", "what Gatehouse promises, and how each promise is tested"],
  ["ARCHITECTURE.md", "architecture", "Architecture", "why it is built as it is"],
  ["CONTRIBUTING.md", "contributing", "Contributing", "how Gatehouse itself is changed and checked"],
  ["CHANGELOG.md", "changelog", "Changes", "what has changed from release to release"],
] as const;

/** The documents of the repository beside the manual, to which chapters lead. */
export async function otherDocuments(root: string): Promise<Part> {
  const pages = documents.map(async ([path, slug, title, about]): Promise<Page> => ({
    slug: `project/${slug}`,
    path,
    title,
    about,
    text: await readFile(join(root, path), "utf8"),
  }));
  return { title: "The project", folder: "project", pages: await Promise.all(pages) };
}
