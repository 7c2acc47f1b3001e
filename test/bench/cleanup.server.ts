import { createApp } from "../../src/app/index.ts";
import { loadConfig } from "../../src/config/index.ts";
import { definition } from "../../src/main.ts";
import { createLog } from "../../src/observe/log.ts";

// Runs all roles of the bare command in one process, with a clock that starts a few seconds before the hourly cleanup.
const leadMs = 5_000;

const loaded = loadConfig({ app: definition, env: Bun.env });
if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
const { config } = loaded;

let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs };
const log = createLog({ format: "json", level: "info", clock, secrets: [] });
const build = { version: "bench", revision: "source" };
const app = await createApp({ definition, config, build, log, clock, clockEvenForMs: 0 });
const cleanup = app.schedules().find(({ name }) => name === "auth:cleanup");
if (cleanup === undefined) throw new Error("there is no auth:cleanup");
aheadMs = cleanup.nextRunAt - leadMs - Date.now();

app.worker.start();
app.scheduler.start();
await app.http.start();
