import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate, opensslMissing, type CertificateFiles } from "./certificate.ts";

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const program =
  process.env["GATEHOUSE_TEST_REDIS_SERVER"] ??
  Bun.which("redis-server", { PATH: path }) ??
  Bun.which("valkey-server", { PATH: path });

/** Why a test with Redis can't run here; undefined if it can. Valkey serves as well, since it speaks the same protocol. */
export const redisMissing: string | undefined =
  program === null ? "neither redis-server nor valkey-server is installed" : opensslMissing;

export interface RedisOptions {
  /** Whether every write is on the disk before it is answered, and survives a kill. Default: all data ends with the process. */
  readonly appendonly?: boolean;
  /** Whether to speak TLS alone, with a certificate for `localhost` that `caFile` verifies. */
  readonly tls?: boolean;
  /** Users in the syntax of the server's ACL, such as `ada on >secret ~* &* +@all`. `default off` refuses clients that name no user. */
  readonly users?: readonly string[];
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Runs the server somewhere else: see `within` of SpawnOptions. */
  readonly within?: readonly string[];
  /** Further lines of the configuration, such as `maxmemory 3mb`. */
  readonly settings?: readonly string[];
}

export interface RedisServer {
  /** The URL without user and password. */
  readonly url: string;
  readonly port: number;
  /** The certificate of the server's authority; undefined without TLS. */
  readonly caFile: string | undefined;
  urlAs(user: string, password: string): string;
  /** Sends one command on a new connection, as the default user. */
  command(...words: readonly [string, ...string[]]): Promise<unknown>;
  /** Ends the server cleanly, unless it has ended, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Ends the server like a crash. */
  kill(): Promise<void>;
  /** Stops all answers until `thaw`, while connections stay open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const startLimitMs = 20_000;
const [firstPort, lastPort] = [20_000, 32_000];

/** Returns a port below those of outgoing connections, one of which could otherwise take it while the server restarts. */
export const somePort = (): number => firstPort + Math.floor(Math.random() * (lastPort - firstPort));

function configuration(folder: string, port: number, options: RedisOptions, tls: CertificateFiles | undefined): string {
  const { appendonly = false, users = [], settings = [], host = "127.0.0.1" } = options;
  const listening =
    tls === undefined
      ? [`port ${port}`]
      : ["port 0", `tls-port ${port}`, `tls-cert-file ${tls.certFile}`, `tls-key-file ${tls.keyFile}`];
  return [
    ...listening,
    ...(tls === undefined ? [] : [`tls-ca-cert-file ${tls.certFile}`, "tls-auth-clients no"]),
    `bind ${host}`,
    `dir ${folder}`,
    'save ""',
    `appendonly ${appendonly ? "yes" : "no"}`,
    "appendfsync always",
    ...users.map((user) => `user ${user}`),
    ...settings,
    "",
  ].join("\n");
}

const readyWords = "eady to accept connections";

/** Resolves to the process once it says that it is ready, or to undefined if the port is taken. */
export async function launchRedis(
  [file, ...further]: readonly string[],
  { within = [], ready: words = readyWords }: { within?: readonly string[] | undefined; ready?: string } = {},
) {
  const child = Bun.spawn([...within, program ?? "redis-server", file ?? "", ...further], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const decoder = new TextDecoder();
  const ready = Promise.withResolvers<boolean>();
  const output: string[] = [];
  async function read(): Promise<void> {
    for await (const chunk of child.stdout) {
      output.push(decoder.decode(chunk, { stream: true }));
      if (output.join("").includes(words)) ready.resolve(true);
    }
    const text = output.join("");
    if (text.includes("Address already in use")) ready.resolve(false);
    else ready.reject(new Error(`the Redis server did not start: ${text}`));
  }
  read().catch(ready.reject);
  const limit = setTimeout(() => ready.reject(new Error(`not started in time: ${output.join("")}`)), startLimitMs);
  try {
    // The end of the output is not waited for: now and then the runtime does not tell of it, on a busy machine.
    if (await ready.promise) return { child, ended: child.exited };
    return undefined;
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

/** Starts a real server on a free port of this machine, independent of any other. The caller stops it. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-redis-"));
  const file = join(folder, "redis.conf");
  const tls = options.tls === true ? makeCertificate(folder) : undefined;

  async function begin(port: number) {
    await Bun.write(file, configuration(folder, port, options, tls));
    return launchRedis([file], options);
  }
  let port = somePort();
  let running = await begin(port);
  for (let attempt = 0; running === undefined; attempt += 1) {
    if (attempt === 20) throw new Error("no free port was found");
    port = somePort();
    running = await begin(port);
  }
  let current = running;

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    current.child.kill("SIGCONT");
    current.child.kill(signal);
    await current.ended;
  }
  const scheme = tls === undefined ? "redis" : "rediss";
  const host = `${tls === undefined ? (options.host ?? "127.0.0.1") : "localhost"}:${port}`;
  const url = `${scheme}://${host}`;

  return {
    url,
    port,
    caFile: tls?.certFile,
    urlAs: (user, password) => `${scheme}://${user}:${encodeURIComponent(password)}@${host}`,
    async command(name, ...words) {
      const ca = tls && (await Bun.file(tls.certFile).text());
      const client = new Bun.RedisClient(url, { ...(ca !== undefined && { tls: { ca } }) });
      try {
        return await client.send(name, words);
      } finally {
        client.close();
      }
    },
    async restart() {
      await end("SIGTERM");
      const again = await begin(port);
      if (again === undefined) throw new Error(`port ${port} was taken while the server restarted`);
      current = again;
    },
    kill: () => end("SIGKILL"),
    freeze: () => current.child.kill("SIGSTOP"),
    thaw: () => current.child.kill("SIGCONT"),
    async stop() {
      await end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
