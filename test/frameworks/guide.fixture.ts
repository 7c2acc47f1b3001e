import { afterAll, beforeAll } from "bun:test";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packClient } from "../../src/build/npm/client.ts";
import { chromiumMissing } from "../support/chromium.ts";
import { sharedFolder } from "../support/folder.ts";
import { codeBlocks } from "../support/markdown.ts";
import { freePort, replaceEach } from "../support/proxy.ts";
import { startStage, type StartedStage } from "../support/stage.ts";

// The apps are made by the commands that a guide prints, and of the files that it prints. Only ports and the place of the package differ.
const guides = join(import.meta.dir, "..", "..", "src", "docs", "start");
/** The newest packages of that day are taken: whenever the tests run they are the same, and none is younger than two weeks. */
const packagesOf = "2026-11-14";
const commandLimitMs = 200_000;
const startLimitMs = 90_000;

const missing = ["node", "npm", "bash"].find((program) => Bun.which(program) === null);
/** The reason why the guides can't be followed here; undefined when they can. */
export const guideMissing: string | undefined =
  chromiumMissing ?? (missing === undefined ? undefined : `${missing} is not installed`);
export const whyMissing: string = guideMissing === undefined ? "" : ` (${guideMissing})`;

interface GuideOptions {
  /** The port of the app in the guide. */
  readonly port: number;
  /** How the guide starts the app, on another port. */
  readonly start: (port: number) => string;
  /** What makes of the app what is started. */
  readonly build?: string;
  /** Files that a guide has no room for. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of Gatehouse. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface FollowedGuide extends StartedStage {
  /** The address of the app. */
  readonly url: string;
  /** Returns what the app has printed. */
  printed(): string;
}

/** Follows a guide before the tests of the calling describe block, and stops after them what it has started. */
export function followGuide(name: string, options: GuideOptions): () => FollowedGuide {
  const folder = sharedFolder();
  const begun: (() => Promise<unknown>)[] = [];
  let followed: FollowedGuide | undefined;
  beforeAll(async () => {
    const guide = await Bun.file(join(guides, `${name}.md`)).text();
    const address = `localhost:${options.port}`;
    if (!guide.includes(`APP_URL=http://${address} gatehouse\n`)) throw new Error("the guide starts no Gatehouse");
    const app = join(folder, "my-app");
    const tarball = await packClient(join(folder, "client"), manifest.version);
    const [making = ""] = codeBlocks(guide, guide.slice(2, guide.indexOf("\n")), "sh");
    const env = { ...environment(folder), ...options.env };
    await run(replaceEach(making, [[`../gatehouse-client-${manifest.version}.tgz`, tarball]]), folder, env);
    const port = freePort();
    const staged = await startStage({ env: { ...options.settings, APP_URL: `http://localhost:${port}` } });
    begun.push(staged.stop);
    const written = [...guide.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, path = "", text = ""]) => [
      path,
      text,
    ]);
    if (written.length === 0) throw new Error("the guide has no files");
    for (const [path = "", text = ""] of [...written, ...Object.entries(options.files ?? {})]) {
      const placed = text
        .replaceAll("http://127.0.0.1:3000", staged.target.url)
        .replaceAll(address, `localhost:${port}`);
      await Bun.write(join(app, path), placed);
    }
    if (options.build !== undefined) await run(options.build, app, env);
    const running = start(options.start(port), app, env);
    begun.push(running.stop);
    const url = `http://localhost:${port}`;
    await running.answers(url);
    followed = { ...staged, url, printed: running.printed };
  }, 3 * commandLimitMs);
  afterAll(async () => {
    for (const stop of begun.toReversed()) await stop();
  });
  return () => {
    if (followed === undefined) throw new Error("the guide has not been followed");
    return followed;
  };
}

/** Returns an environment in which npm writes nothing outside of the folder, and runs no scripts of packages. */
const environment = (folder: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  TMPDIR: folder,
  CI: "1",
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  npm_config_cache: join(folder, "npm"),
  npm_config_before: packagesOf,
  npm_config_ignore_scripts: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  npm_config_yes: "true",
});

async function run(commands: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", commands], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: commandLimitMs,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${commands}\n${stdout}${stderr}`);
}

/** Starts a server in a group of processes of its own, all of which end with it. */
function start(command: string, cwd: string, env: Readonly<Record<string, string>>) {
  const child = Bun.spawn(["bash", "-c", command], {
    cwd,
    env,
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let printed = "";
  async function note(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) printed += decoder.decode(bytes, { stream: true });
  }
  const noted = Promise.all([note(child.stdout), note(child.stderr)]);
  return {
    printed: () => printed,
    async stop(): Promise<void> {
      process.kill(-child.pid, "SIGKILL");
      await child.exited;
      await noted;
    },
    async answers(url: string): Promise<void> {
      const deadline = performance.now() + startLimitMs;
      const isThere = (): Promise<boolean> =>
        fetch(url, { signal: AbortSignal.timeout(30_000) }).then(
          ({ status }) => status < 500,
          () => false,
        );
      while (!(await isThere())) {
        if (child.exitCode !== null || performance.now() > deadline)
          throw new Error(`${command} does not answer:\n${printed}`);
        await Bun.sleep(100);
      }
    },
  };
}
