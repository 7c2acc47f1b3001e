import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./log.ts";
import { asPostgres, type Postgres, postgresMissing } from "./postgres.ts";
import { freePort } from "./proxy.ts";

const program = Bun.which("pgbouncer", { PATH: "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin" });

/** Why a test with PgBouncer can't run here; undefined if it can. */
export const pgbouncerMissing: string | undefined =
  postgresMissing ?? (program === null ? "pgbouncer is not installed" : undefined);

export interface PgbouncerOptions {
  readonly server: Postgres;
  readonly mode: "session" | "transaction";
  /** Further lines of its configuration. Default: none, so that everything else is as it comes. */
  readonly settings?: readonly string[];
}

/** Starts a real PgBouncer before a server. */
export async function startPgbouncer({ server, mode, settings = [] }: PgbouncerOptions) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-pgbouncer-"));
  const port = freePort();
  const { username, password } = new URL(server.url);
  const [file, users, log] = ["pgbouncer.ini", "users.txt", "log"].map((name) => join(folder, name));
  await Bun.write(users ?? "", `"${username}" "${password}"\n`);
  await Bun.write(
    file ?? "",
    [
      "[databases]",
      `* = host=127.0.0.1 port=${server.port}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      ...settings,
      "",
    ].join("\n"),
  );
  if (process.getuid?.() === 0) Bun.spawnSync(["chown", "-R", "postgres:", folder]);
  const child = Bun.spawn([...asPostgres, program ?? "pgbouncer", file ?? ""], {
    cwd: folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(log ?? ""),
  });
  await eventually("pgbouncer to listen", async () => (await Bun.file(log ?? "").text()).includes("process up"));
  return {
    /** Returns the URL of a database of the server through the pooler. */
    through: (url: string): string => url.replace(`:${server.port}/`, `:${port}/`),
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      await child.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Pgbouncer = Awaited<ReturnType<typeof startPgbouncer>>;
