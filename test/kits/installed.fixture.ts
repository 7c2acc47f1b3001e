import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packClient } from "../../src/build/npm/client.ts";
import { example, startProgram } from "../examples/examples.fixture.ts";
import { freePort, replaceEach } from "../support/proxy.ts";

const root = join(import.meta.dir, "..", "..");
const installLimitMs = 60_000;

/** The reason why apps can't be installed here; undefined when they can. */
export const npmMissing: string | undefined = Bun.which("npm") === null ? "npm is not installed" : undefined;

/** Installs the package, as it is published, into an app by npm. Returns the folder of the app, below the given one. */
export async function installPackage(folder: string): Promise<string> {
  const packed = await packClient(join(folder, "client"), "1.2.3", join(folder, "kits"));
  const app = join(folder, "app");
  await Bun.write(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const npm = Bun.spawn(["npm", "install", "--offline", "--no-audit", "--no-fund", packed], {
    cwd: app,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: installLimitMs,
  });
  const complaints = await npm.stderr.text();
  if ((await npm.exited) !== 0) throw new Error(`npm install: ${complaints}`);
  return app;
}

/** Lets an app import a package of this repository, under another name where there are several versions of it. */
export async function link(app: string, name: string, version: string = name): Promise<void> {
  const place = join(app, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(root, "node_modules", version), place);
}

interface Started {
  /** The folder in which the package is installed. */
  readonly app: string;
  readonly runtime: string;
  /** Where the app finds Gatehouse. */
  readonly gatehouse: string;
}

export interface RunningApp {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program that is written for the usual ports, with those of this run. */
export async function startApp(source: string, { app, runtime, gatehouse }: Started): Promise<RunningApp> {
  const port = freePort();
  const name = `${port}.js`;
  const placed = replaceEach(source, [
    ["http://127.0.0.1:3000", gatehouse],
    ["8080", String(port)],
  ]);
  await Bun.write(join(app, name), placed);
  const { stop } = await startProgram([runtime, name], { cwd: app, port });
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Starts the program of the manual below a heading. */
export const startExample = (heading: string, started: Started): Promise<RunningApp> =>
  startApp(example(heading, "js"), started);
