// Starts Gatehouse, the app and nginx, and ends all three when one of them ends or when this is interrupted.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";

const gatehouse = process.env.GATEHOUSE ?? (existsSync("./gatehouse") ? "./gatehouse" : "gatehouse");
const settings = { APP_ENV: "local", APP_URL: "http://127.0.0.1:8080", API_TRUSTED_PROXIES: "127.0.0.1/32" };
const env = { ...process.env, ...settings };

mkdirSync("data/nginx", { recursive: true });
const migrated = spawnSync(gatehouse, ["migrate"], { env, stdio: "inherit" });
if (migrated.error !== undefined)
  console.error(`${gatehouse} can't be run: put the binary here, or name it in GATEHOUSE`);
if (migrated.status !== 0) process.exit(1);

const programs = [
  [gatehouse, []],
  [process.execPath, ["app.js"]],
  ["nginx", ["-p", process.cwd(), "-c", "nginx.conf", "-e", "stderr"]],
];
// In groups of their own: an interrupt at the keyboard reaches this program alone, which then ends each of them once.
const options = { env, stdio: "inherit", detached: true };
const running = programs.map(([program, args]) => ({ program, child: spawn(program, args, options) }));
let isEnding = false;
const limitMs = 15_000;

function end(code) {
  if (isEnding) return;
  isEnding = true;
  process.exitCode = code;
  for (const { child } of running) child.kill("SIGTERM");
  setTimeout(() => running.forEach(({ child }) => child.kill("SIGKILL")), limitMs).unref();
}

for (const { program, child } of running) {
  child
    .once("error", (error) => console.error(`${program} can't be run: ${error.message}`))
    .once("error", () => end(1));
  child.once("exit", (code, signal) => {
    if (!isEnding) console.error(`${program} ended by itself (${signal ?? code})`);
    end(1);
  });
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end(0));
console.log("Open http://127.0.0.1:8080. The mails of Gatehouse are at http://127.0.0.1:3000/mails");
