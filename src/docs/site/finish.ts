import { join } from "node:path";

const inline = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Gives each cell of a table the heading of its column, which a phone shows in front of it. A column without one has no heading. */
const labelled = (table: string): string => {
  const heads = [...table.matchAll(/<th\b[^>]*>([\s\S]*?)<\/th>/g)].map(([, head = ""]) =>
    head.replaceAll(/<[^>]*>/g, "").replaceAll('"', "&quot;"),
  );
  return table.replaceAll(/<th\b[^>]*><\/th>/g, "<td></td>").replaceAll(/<tr>([\s\S]*?)<\/tr>/g, (row) => {
    let column = 0;
    return row.replaceAll("<td>", () => `<td data-label="${heads[column++] ?? ""}">`);
  });
};

/**
 * Goes through the built pages: labels the cells of their tables, and writes down the hashes of the few scripts that stand in the pages
 * themselves, for the policy with which the service sends them.
 */
export async function finishPages(folder: string): Promise<void> {
  const hashes = new Set<string>();
  for (const path of new Bun.Glob("**/*.html").scanSync({ cwd: folder })) {
    const file = join(folder, path);
    const html = (await Bun.file(file).text()).replaceAll(/<table>[\s\S]*?<\/table>/g, labelled);
    await Bun.write(file, html);
    for (const [, script = ""] of html.matchAll(inline))
      hashes.add(`sha256-${new Bun.CryptoHasher("sha256").update(script).digest("base64")}`);
  }
  await Bun.write(join(folder, "scripts.json"), JSON.stringify([...hashes].toSorted()));
}
