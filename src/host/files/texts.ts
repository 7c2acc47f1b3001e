import { embedded } from "./embedded.ts" with { type: "macro" };

const texts = new Map(Object.entries(embedded()));

/** Returns the text of a file in systemd/. */
export function textOf(path: string): string {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`there is no systemd/${path}`);
  return text;
}

/** The paths of all units and their drop-ins, below systemd/units. */
export const unitPaths: readonly string[] = [...texts.keys()].flatMap(
  (path) => /^units\/(.+\.(?:service|target|conf))$/.exec(path)?.[1] ?? [],
);
