import { isSiteStale } from "./documentation.ts";
import { isAlive, launchers } from "./launchers.ts";

// `bun run up`: installs, builds, makes the documentation, migrates and serves, until somebody ends it. It is started by a chain of programs, such as npx, a shell and
// Bun, of which not each passes a signal on: what ends any of them has to end the service as well.

const bun = process.execPath;
const gatehouse = "./dist/gatehouse";

interface Step {
  readonly command: readonly [program: string, ...args: string[]];
  /** Whether there is something to do. */
  readonly isNeeded?: () => Promise<boolean>;
}

const steps: readonly Step[] = [
  { command: [bun, "install", "--frozen-lockfile"] },
  { command: [bun, "build.ts"] },
  { command: [bun, "src/docs/site/build.ts"], isNeeded: isSiteStale },
  { command: [gatehouse, "migrate"] },
  { command: [gatehouse] },
];

const lookMs = 250;
/** How long a step may take to end by a signal of the terminal, which reaches it, too. A second signal would cut requests off. */
const patienceMs = 2_000;

const chain = launchers();
let step: Bun.Subprocess | undefined;
let isEnding = false;

const endStep = (): void => step?.kill("SIGTERM");

function end(afterMs: number): void {
  if (isEnding) return;
  isEnding = true;
  if (afterMs === 0) endStep();
  else setTimeout(endStep, afterMs);
}

process.on("SIGTERM", () => end(0));
process.on("SIGINT", () => end(patienceMs));
process.on("SIGHUP", () => end(patienceMs));
setInterval(() => {
  if (!chain.every(isAlive)) end(0);
}, lookMs);

for (const { command, isNeeded } of steps) {
  if (isNeeded !== undefined && !(await isNeeded())) continue;
  if (isEnding) process.exit(0);
  const [program, ...args] = command;
  const env = program === gatehouse ? { ...process.env, APP_ENV: "local" } : process.env;
  step = Bun.spawn([program, ...args], { env, stdio: ["ignore", "inherit", "inherit"] });
  const code = await step.exited;
  if (code !== 0 || isEnding) process.exit(code);
}
process.exit(0);
