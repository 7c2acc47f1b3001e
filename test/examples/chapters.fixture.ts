import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { manual } from "../support/manual.ts";
import { codeBlocks } from "../support/markdown.ts";
import { testTarget } from "../support/process.ts";
import type { Target } from "../support/target.ts";

const root = join(import.meta.dir, "..", "..");
const limitMs = 60_000;

/** Puts the program, or the sources in its place, where chapters call `gatehouse` and `./dist/gatehouse`. */
async function placeProgram(folder: string): Promise<void> {
  const command =
    testTarget === "binary" ? join(root, "dist", "gatehouse") : `${process.execPath} ${join(root, "src", "main.ts")}`;
  for (const place of ["bin", "dist"]) {
    await mkdir(join(folder, place), { recursive: true });
    await writeFile(join(folder, place, "gatehouse"), `#!/bin/sh\nexec ${command} "$@"\n`);
    await chmod(join(folder, place, "gatehouse"), 0o755);
  }
}

export interface Followed {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Follows chapters on a target: their shell blocks are run as they are printed, but for addresses. */
export async function follow({ folder, env, url, port }: Target) {
  await placeProgram(folder);
  const path = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;
  const addresses = (block: string): string =>
    block
      .replaceAll("https://auth.example.com", url.replace(/\/$/, ""))
      .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):3000/g, url.replace(/\/$/, ""));
  /** Runs a script. `known` are what the reader would put in. With `as printed` nothing is added to what curl prints. */
  async function run(
    script: string,
    known: Readonly<Record<string, string>> = {},
    answers: "a line each" | "as printed" = "a line each",
  ): Promise<Followed> {
    // An answer may end without a line's end.
    const curl = answers === "as printed" ? "" : 'curl() { command curl -sS "$@"; echo; }\n';
    const shell = Bun.spawn(["bash", "-euo", "pipefail", "-c", `${curl}${addresses(script)}`], {
      cwd: folder,
      env: { ...env, PATH: path, API_HTTP_PORT: String(port), ...known },
      stdout: "pipe",
      stderr: "inherit",
      timeout: limitMs,
    });
    const lines = (await shell.stdout.text()).split("\n").filter((line) => line !== "");
    return { code: await shell.exited, lines };
  }
  return {
    follow: run,
    /** Runs the shell block below a heading that has this place among them. */
    run: (heading: string, index = 0, known: Readonly<Record<string, string>> = {}): Promise<Followed> =>
      run(codeBlocks(manual, heading, "sh")[index] ?? "", known),
  };
}
