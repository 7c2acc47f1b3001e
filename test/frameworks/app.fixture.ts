import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packClient } from "../../src/build/npm/client.ts";
import { chromiumMissing } from "../support/chromium.ts";
import { codeBlocks } from "../support/markdown.ts";
import { replaceEach } from "../support/proxy.ts";

// The apps are made by the commands that a guide prints, and of the files that it prints. Only addresses and the place of the package differ.
const guides = join(import.meta.dir, "..", "..", "src", "docs", "start");
/** The newest packages of that day are taken: whenever the tests run they are the same, and none is younger than two weeks. */
const packagesOf = "2026-11-14";
export const commandLimitMs = 200_000;
const startLimitMs = 90_000;

const missing = ["node", "npm", "bash"].find((program) => Bun.which(program) === null);
/** The reason why apps can't be made here; undefined when they can. */
export const npmMissing: string | undefined = missing === undefined ? undefined : `${missing} is not installed`;
/** The reason why the guides can't be followed here; undefined when they can. */
export const guideMissing: string | undefined = chromiumMissing ?? npmMissing;
export const whyMissing: string = guideMissing === undefined ? "" : ` (${guideMissing})`;

export interface MakingOptions {
  /** Files that a guide has no room for. */
  readonly files?: Readonly<Record<string, string>>;
  /** The command of a starter that gets its template from elsewhere than npm, and the files that are in the template. */
  readonly starter?: { readonly command: RegExp; readonly files: Readonly<Record<string, string>> };
  /** The oldest release of Node that the framework takes. Default: that of Vite. */
  readonly node?: string;
}

export const readGuide = (name: string): Promise<string> => Bun.file(join(guides, `${name}.md`)).text();

/** Makes the app of a guide in a folder. `place` puts other addresses into the files of the guide. */
export async function makeApp(
  guide: string,
  folder: string,
  options: MakingOptions,
  place = (text: string): string => text,
) {
  const app = join(folder, "my-app");
  const tarball = await packClient(join(folder, "client"), manifest.version);
  const [making = ""] = codeBlocks(guide, guide.slice(2, guide.indexOf("\n")), "sh");
  const env = environment(folder);
  env.PATH = `${await nodeIn(folder, options.node ?? "20.19.0", env)}:${env.PATH}`;
  const { command, files = {} } = options.starter ?? {};
  for (const [path, text] of Object.entries(files)) await Bun.write(join(app, path), text);
  const places = [[`../gatehouse-client-${manifest.version}.tgz`, tarball]] as const;
  await run(replaceEach(making, command === undefined ? places : [...places, [command, ":\n"]]), folder, env);
  const written = [...guide.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, path = "", text = ""]) => [
    path,
    text,
  ]);
  if (written.length === 0) throw new Error("the guide has no files");
  for (const [path = "", text = ""] of [...written, ...Object.entries(options.files ?? {})])
    await Bun.write(join(app, path), place(text));
  return {
    /** Runs commands in the folder of the app. */
    run: (commands: string): Promise<void> => run(commands, app, env),
    /** Starts a server there. */
    start: (startCommand: string) => start(startCommand, app, env),
  };
}

/** Resolves to the folder of a Node that is as new as the framework needs: where an older one is installed, one comes from npm. */
async function nodeIn(folder: string, oldest: string, env: Readonly<Record<string, string>>): Promise<string> {
  const installed = Bun.spawnSync(["node", "--version"]).stdout.toString().trim().slice(1);
  if (Bun.semver.order(installed, oldest) >= 0) return folder;
  const name = `node-${process.platform}-${process.arch}`;
  await run(`mkdir node; cd node; echo '{}' > package.json; npm install ${name}@22.23.3`, folder, env);
  return join(folder, "node", "node_modules", name, "bin");
}

/** Returns an environment in which npm writes nothing outside of the folder, and runs no scripts of packages. */
const environment = (folder: string) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  TMPDIR: folder,
  CI: "1",
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  // npm looks for its settings beside the Node that runs it, which may be another one.
  npm_config_globalconfig: Bun.spawnSync(["npm", "config", "get", "globalconfig"]).stdout.toString().trim(),
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
