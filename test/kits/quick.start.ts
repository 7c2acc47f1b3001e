import { expect, test } from "bun:test";
import { join } from "node:path";
import { startProgram } from "../examples/examples.fixture.ts";
import { browserWith, secretsOf } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { codeBlocks, headings } from "../support/markdown.ts";
import { freePort, replaceEach } from "../support/proxy.ts";
import type { Stage } from "../support/stage.ts";

const chapters = join(import.meta.dir, "..", "..", "src", "docs", "start");
const page = { accept: "text/html", "sec-fetch-mode": "navigate" };

interface QuickStart {
  /** The chapter, such as `go.md`. */
  readonly chapter: string;
  readonly languages: readonly string[];
  /** Puts the blocks of the languages where they belong, and returns how the app is started on a port. */
  readonly place: (
    blocks: readonly string[],
    port: number,
  ) => Promise<{
    readonly command: readonly string[];
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
  }>;
}

/** Follows a chapter as it is printed, but for its two ports, and asks what it promises. */
export function quickStart({ target, people, rows }: Stage, { chapter, languages, place }: QuickStart): void {
  test(`the app of src/docs/start/${chapter} knows who is calling`, async () => {
    const markdown = await Bun.file(join(chapters, chapter)).text();
    const title = headings(markdown)[0]?.text ?? "";
    const blocks = languages.flatMap((language) => codeBlocks(markdown, title, language));
    const port = freePort();
    const known: readonly [string, string][] = [
      ["127.0.0.1:3000", `127.0.0.1:${target.port}`],
      ["127.0.0.1:8000", `127.0.0.1:${port}`],
    ];
    const ours = blocks.map((block) =>
      replaceEach(
        block,
        known.filter(([text]) => block.includes(text)),
      ),
    );
    expect(ours.join("\n")).toContain(`127.0.0.1:${target.port}`);
    const { command, ...program } = await place(ours, port);
    const started = await startProgram(command, { ...program, port });
    try {
      const url = `http://127.0.0.1:${port}`;
      const led = await createClient(url).get("/", { headers: page });
      const next = encodeURIComponent(`${url}/`);
      expect([led.status, led.headers.get("location")]).toEqual([303, `${target.url}/login?next=${next}`]);
      expect((await createClient(url).get("/")).status).toBe(401);
      const ada = await people.register("ada");
      const browser = browserWith(url, secretsOf(ada.client));
      expect((await browser.get("/")).text).toContain(`Hello, ${ada.username}!`);
      expect((await browser.get("/admin")).status).toBe(403);
      rows.run("update users set roles = 'admin' where id = ?", ada.id);
      expect((await browser.get("/admin")).text).toContain("Hello, ");
    } finally {
      await started.stop();
    }
  });
}
