import { SQL } from "bun";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./proxy.ts";

const startLimitMs = 60_000;
const stopLimitMs = 20_000;
const versions = "/usr/lib/postgresql";

/** The folder in which Debian's packages put the newest server, whose programs are not on the path. */
const bin = ((): string | undefined => {
  if (!existsSync(versions)) return undefined;
  const installed = readdirSync(versions).filter((version) => existsSync(join(versions, version, "bin", "initdb")));
  const newest = installed.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(versions, newest, "bin");
})();

/** Why a test that needs a Postgres server can't run here; undefined if it can. */
export const postgresMissing: string | undefined = bin === undefined ? "postgresql is not installed" : undefined;

/** The folder of its programs. */
export const postgresPrograms = bin ?? "";

export interface PostgresOptions {
  /** Whether a commit waits for the disk, for tests of crashes. Default false. */
  readonly fsync?: boolean;
  /** How clients authenticate. Default "trust": they need not. */
  readonly auth?: "trust" | "scram-sha-256";
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** A certificate and its key in PEM. Clients may then ask for TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Further settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines of pg_hba.conf that come before those of this machine. */
  readonly access?: readonly string[];
  /** Runs the server somewhere else: see `within` of SpawnOptions. */
  readonly within?: readonly string[];
  /** Starts as a copy of that running server, with its users, and follows it as the standby of that name. */
  readonly following?: { readonly primary: Postgres; readonly as: string };
}

export interface NewDatabase {
  readonly name?: string;
  /** A database to copy, to which nobody may be connected. Default: the new one is empty. */
  readonly template?: string;
  /** The language whose rules sort text. Default: the order of bytes. */
  readonly icu?: string;
}

export interface Postgres {
  /** The URL of the database `postgres` for a superuser, with the password where one is asked for. */
  readonly url: string;
  readonly port: number;
  /** The data folder, with the log beside it. */
  readonly folder: string;
  createDatabase(options?: NewDatabase): Promise<{ readonly url: string }>;
  /** Ends the server cleanly, cutting its clients off, and starts it again on the same port; also after `kill`. */
  restart(): Promise<void>;
  /** Turns a standby into a server of its own, which can be written to. */
  promote(): Promise<void>;
  /** Ends the server by SIGKILL, like a crash. With fsync, acknowledged commits are there after a restart. */
  kill(): Promise<void>;
  /** Ends the server, and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a Postgres server that sorts text by bytes. It ends with the process that started it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  if (bin === undefined) throw new Error(postgresMissing);
  const { auth = "trust", host = "127.0.0.1", tls, settings = {}, access = [], within = [], following } = options;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  const data = join(folder, "data");
  const password = following === undefined ? randomBytes(12).toString("hex") : new URL(following.primary.url).password;
  const port = freePort();
  const server = `postgres://gatehouse${auth === "trust" ? "" : `:${password}`}@${host}:${port}`;
  const url = `${server}/postgres`;

  await Bun.write(join(folder, "password"), password);
  if (tls !== undefined) {
    await Bun.write(join(folder, "server.crt"), tls.certificate);
    await Bun.write(join(folder, "server.key"), tls.key);
    await chmod(join(folder, "server.key"), 0o600);
  }
  await giveToPostgres(folder);
  const rooms = ["-D", data, "-A", auth, "-U", "gatehouse", `--pwfile=${join(folder, "password")}`];
  const program = (name: string): string[] => [...within, ...asPostgres, join(bin, name)];
  if (following === undefined) {
    const initdb = [...program("initdb"), ...rooms, "--locale=C", "-E", "UTF8", "--no-sync", "--no-instructions"];
    await runToEnd(initdb, folder);
    const file = join(data, "pg_hba.conf");
    if (access.length > 0) await Bun.write(file, `${access.join("\n")}\n${await Bun.file(file).text()}`);
  } else {
    const copying = ["-D", data, "-d", following.primary.url, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
    await runToEnd([...program("pg_basebackup"), ...copying], folder);
  }

  const configured = {
    listen_addresses: host,
    port: String(port),
    unix_socket_directories: folder,
    max_connections: "300",
    shared_buffers: "64MB",
    ...(options.fsync !== true && { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...(tls !== undefined && {
      ssl: "on",
      ssl_cert_file: join(folder, "server.crt"),
      ssl_key_file: join(folder, "server.key"),
    }),
    // A standby identifies itself by this name to its primary.
    ...(following !== undefined && { cluster_name: following.as }),
    ...settings,
  };
  const command = [
    ...program("postgres"),
    "-D",
    data,
    ...Object.entries(configured).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];

  let child: Bun.Subprocess | undefined;
  async function end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    if (child === undefined) return;
    const limit = setTimeout(() => child?.kill("SIGQUIT"), stopLimitMs);
    child.kill(signal);
    await child.exited;
    clearTimeout(limit);
    child = undefined;
  }
  /** Processes that a killed server left behind may hold the data folder for a moment: then the start is repeated. */
  async function start(): Promise<void> {
    const deadline = performance.now() + startLimitMs;
    for (;;) {
      if (child === undefined || child.exitCode !== null) child = spawnServer(command, folder);
      if (await answers(url)) return;
      if (performance.now() > deadline) {
        await end("SIGKILL");
        throw new Error(`postgres does not start: ${await Bun.file(join(folder, "log")).text()}`);
      }
      await Bun.sleep(30);
    }
  }
  const leaveNothing = (): void => {
    child?.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", leaveNothing);
  await start();

  let created = 0;
  return {
    url,
    port,
    folder,
    async createDatabase({ name = `test_${(created += 1)}_${randomBytes(4).toString("hex")}`, template, icu } = {}) {
      await using sql = new SQL(url, { max: 1 });
      const order = icu === undefined ? "" : ` template template0 locale_provider icu icu_locale '${icu}'`;
      await sql.unsafe(`create database ${name}${order}${template === undefined ? "" : ` template ${template}`}`);
      return { url: `${server}/${name}` };
    },
    async restart() {
      await end("SIGINT");
      await start();
    },
    promote: () => runToEnd([...program("pg_ctl"), "promote", "-w", "-D", data], folder),
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGINT");
      process.off("exit", leaveNothing);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const sql = new SQL(url, { max: 1, connectionTimeout: 5 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.close({ timeout: 0 });
  }
}

const isRoot = process.getuid?.() === 0;
/**
 * Runs the server as another user, since it refuses to run as root. setpriv becomes the program that it starts, so that its process is the
 * server's, which ends with this one.
 */
export const asPostgres = isRoot
  ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=QUIT", "--"]
  : [];
const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" };

const spawnServer = (command: readonly string[], folder: string): Bun.Subprocess =>
  Bun.spawn([...command], {
    cwd: folder,
    env: environment,
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(folder, "log")),
  });

async function giveToPostgres(folder: string): Promise<void> {
  if (isRoot) await runToEnd(["chown", "-R", "postgres:", folder], folder);
  const probe = Bun.spawnSync([...asPostgres, "test", "-w", folder], { env: environment });
  if (!probe.success) throw new Error(`the user postgres can't reach ${folder}: a folder above it is closed to others`);
}

async function runToEnd(command: readonly string[], folder: string): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: environment,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: startLimitMs,
  });
  const complaint = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${complaint}`);
}
