import { Database } from "bun:sqlite";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";

// better-auth set up for Bun as in its manual: bun:sqlite, email and password, its own migrations, no session cookie cache (its default).
// Its rate limit is off, as Gatehouse's is raised: one address sends all requests.
const port = Number(Bun.env["PORT"]);
const database = new Database(Bun.env["BENCH_DATABASE"] ?? "", { create: true });
database.run("pragma journal_mode = wal");

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret: "a benchmark secret that guards nothing at all",
  database,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
});
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();

Bun.serve({ hostname: "127.0.0.1", port, fetch: (request) => auth.handler(request) });
console.log(`listening on ${port}`);
