import { manual } from "../support/manual.ts";
import { codeBlocks } from "../support/markdown.ts";
import { exchangeOverTls, listens, nginxAround, nginxPlaces, replaceEach, type Places } from "../support/proxy.ts";

/** Returns a block of the manual's examples as it is printed: the first one of the language below that heading. */
export function example(heading: string, language: string): string {
  const [block = ""] = codeBlocks(manual, heading, language);
  return block;
}

/** Returns the settings that an example names. */
export const settingsOf = (heading: string): Record<string, string> =>
  Object.fromEntries(
    [...example(heading, "sh").matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );

/** Headers with which a browser opens a page for somebody. */
export const navigation = { Accept: "text/html", "Sec-Fetch-Mode": "navigate" };
/** Returns the sign-in page that leads back to that page of the app. */
export const signIn = (next: string) => `https://app.example.com/login?next=${encodeURIComponent(next)}`;
/** Headers that tell the app who is calling. */
export const told = [
  "X-Auth-User-Id",
  "X-Auth-Username",
  "X-Auth-Email",
  "X-Auth-Email-Verified",
  "X-Auth-Roles",
  "X-Auth-Session-Id",
  "X-Auth-Acr",
  "X-Auth-Time",
  "X-Auth-Claims",
  "X-Auth-Org-Id",
  "X-Auth-Org-Slug",
  "X-Auth-Org-Roles",
] as const;

interface Behind {
  readonly gatehouse: number;
  readonly app: number;
}

/** Returns the site of an example for nginx with the ports of this run, and the certificate of its places. */
const nginxSite = (site: string, places: Places, { gatehouse, app }: Behind): string =>
  nginxAround(
    replaceEach(site, [
      ...nginxPlaces(places),
      ["server 127.0.0.1:3000 ", `server 127.0.0.1:${gatehouse} `],
      ["server 127.0.0.1:8080;", `server 127.0.0.1:${app};`],
      ["/etc/ssl/app/fullchain.pem", `${places.folder}/chain.pem`],
      ["/etc/ssl/app/privkey.pem", `${places.folder}/key.pem`],
    ]),
    places,
  );

export const nginxOneHost = (places: Places, behind: Behind): string =>
  nginxSite(example("One host with nginx", "nginx"), places, behind);

export function nginxAsking(places: Places, behind: Behind): string {
  const guarded = example("nginx asks who is calling", "nginx");
  const openToAll = "  location / { proxy_pass http://app; }\n";
  return nginxSite(replaceEach(example("One host with nginx", "nginx"), [[openToAll, guarded]]), places, behind);
}

/** A request as it reached the app. */
export interface Arrived {
  readonly method: string;
  /** The target as it stands in the request line. */
  readonly target: string;
  /** Headers with the names as they were written. */
  readonly headers: readonly (readonly [string, string])[];
}

/** Starts the app behind a proxy. The app takes requests as bytes, so that it shows what the proxy really sent. */
export function startApp() {
  let arrived: Arrived[] = [];
  const server = Bun.listen<{ head: string }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { head: "" };
      },
      data(socket, bytes) {
        socket.data.head += bytes.toString("latin1");
        if (!socket.data.head.includes("\r\n\r\n")) return;
        const [requestLine = "", ...lines] = socket.data.head.split("\r\n\r\n", 1).join("").split("\r\n");
        const [method = "", target = ""] = requestLine.split(" ");
        const headers = lines.map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
        });
        arrived.push({ method, target, headers });
        const head = ["HTTP/1.1 200 OK", "Set-Cookie: of-the-app=1", "Content-Length: 7", "Connection: close"];
        socket.end(`${head.join("\r\n")}\r\n\r\nthe app`);
      },
    },
  });
  return {
    port: server.port,
    /** Returns what has arrived since the last call. */
    take(): readonly Arrived[] {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    stop: () => server.stop(true),
  };
}

/** Returns what an app finds under the name of a header, however it is written: many take an underscore for a hyphen. */
export const headerOf = ({ headers }: Arrived, name: string): string =>
  headers
    .filter(([each]) => each.toLowerCase().replaceAll("_", "-") === name.toLowerCase())
    .map(([, value]) => value)
    .join(" and ");

interface Request {
  readonly method?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request through a proxy to `app.example.com`, with its target as it is. */
export async function ask(
  port: number,
  target: string,
  { method = "GET", cookie, headers, body: sent = "" }: Request = {},
) {
  const lines = Object.entries({
    Host: "app.example.com",
    Connection: "close",
    ...(cookie !== undefined && { Cookie: cookie }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const bytes = `${[`${method} ${target} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${sent}`;
  const [head = "", body = ""] = (await exchangeOverTls(port, bytes, "app.example.com")).split("\r\n\r\n");
  const all = (name: string): string[] =>
    [...head.matchAll(new RegExp(`^${name}: *(.*?)\r?$`, "gim"))].map(([, value = ""]) => value);
  return { status: Number(head.split(" ")[1]), location: all("location").join(), setCookies: all("set-cookie"), body };
}

const startLimitMs = 60_000;

/** Runs a program of an example, and waits until it listens. */
export async function startProgram(
  command: readonly string[],
  options: { readonly cwd: string; readonly port: number; readonly env?: Readonly<Record<string, string>> },
) {
  const { cwd, port, env = {} } = options;
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const complaints = child.stderr.text();
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  const deadline = performance.now() + startLimitMs;
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${command.join(" ")} does not start: ${await complaints}`);
    }
    await Bun.sleep(20);
  }
  return { stop };
}

const nodeVersion = Bun.which("node") === null ? "" : Bun.spawnSync(["node", "--version"]).stdout.toString();

/** The reason why an example for Node can't run here; undefined when it can. */
export const nodeMissing: string | undefined =
  Number(/^v(\d+)/.exec(nodeVersion)?.[1] ?? 0) < 20 ? "node 20 is not installed" : undefined;
