import { openWire, type Reply, type Wire } from "./wire.ts";

// Simulates browsers that log in, register, refresh and ask, half of them on kept-alive connections and half on a new one for each request.
// They register, which a line reports, then go on at a steady rate until standard input ends, and check that everything acknowledged is
// still there. The outcome of all requests is printed as JSON.
const [host = "127.0.0.1", port = "", rate = "", browsers = ""] = process.argv.slice(2);
const password = "a long walk by the sea";
const kinds = ["hello", "refresh", "login", "register"] as const;
type Kind = (typeof kinds)[number];

const failures = new Map<string, number>();
const sent = { hello: 0, refresh: 0, login: 0, register: 0 };
let slowestMs = 0;
let isOver = false;
const registered: { readonly email: string; readonly cookie: string }[] = [];

const run = Date.now().toString(36);
const everyMs = (1000 * Number(browsers)) / Number(rate);

const total = (): number => kinds.reduce((sum, kind) => sum + sent[kind], 0);

function request(method: string, path: string, cookie: string, keepsAlive: boolean, body?: object): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: auth.example.com",
    ...(keepsAlive ? [] : ["Connection: close"]),
    ...(cookie === "" ? [] : [`Cookie: ${cookie}`]),
    ...(body === undefined ? [] : ["Content-Type: application/json"]),
    ...(method === "GET" ? [] : [`Content-Length: ${text.length}`]),
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

function createBrowser(number: number) {
  const keepsAlive = number % 2 === 0;
  const email = `ada${number}-${run}@example.test`;
  let wire: Wire | undefined;
  let cookie = "";
  let turns = 0;

  /** Counts and reports failures; resolves to undefined after one. */
  async function ask(
    kind: Kind,
    method: string,
    path: string,
    given: string,
    body?: object,
  ): Promise<Reply | undefined> {
    sent[kind] += 1;
    const began = performance.now();
    try {
      if (wire === undefined || !wire.isOpen()) wire = await openWire(host, Number(port));
      const reply = await wire.send(request(method, path, given, keepsAlive, body));
      slowestMs = Math.max(slowestMs, performance.now() - began);
      if (!keepsAlive || !wire.isOpen()) wire.close();
      if (reply.status === 200) return reply;
      throw new Error(`${reply.status} ${/"code":"(\w+)"/.exec(reply.body)?.[1] ?? reply.body.slice(0, 80)}`);
    } catch (error) {
      wire?.close();
      wire = undefined;
      const reason = `${method} ${path}: ${error instanceof Error ? error.message : String(error)}`;
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
      return undefined;
    }
  }

  const api = (route: string): string => `/api/v1/auth/${route}`;
  const post = (kind: Kind, route: string, given: string, body?: object) => ask(kind, "POST", api(route), given, body);
  const jar = ({ cookies }: Reply): string => cookies.join("; ");

  async function register(address: string): Promise<string> {
    const reply = await post("register", "register", "", { email: address, password });
    if (reply === undefined) return "";
    registered.push({ email: address, cookie: jar(reply) });
    return jar(reply);
  }

  async function turn(): Promise<void> {
    turns += 1;
    if (turns % 400 === 0) await register(`grace${number}-${turns}-${run}@example.test`);
    else if (turns % 200 === 0) {
      const reply = await post("login", "login", "", { login: email, password });
      if (reply !== undefined) cookie = jar(reply);
    } else if (turns % 2 === 0) {
      // A rotation that was acknowledged but lost would make the next one fail.
      const reply = await post("refresh", "refresh", cookie);
      if (reply !== undefined) cookie = jar(reply);
    } else await ask("hello", "GET", "/api/v1/hello", cookie);
  }

  return {
    async begin(): Promise<void> {
      cookie = await register(email);
    },
    async run(): Promise<void> {
      turns = number * 17;
      // Browsers start at different moments, so that the load is even.
      let next = performance.now() + (everyMs * number) / Number(browsers);
      while (!isOver) {
        await Bun.sleep(Math.max(0, next - performance.now()));
        if (isOver) break;
        await turn();
        next = Math.max(next + everyMs, performance.now() - 5 * everyMs);
      }
    },
    async checkLast(): Promise<void> {
      await post("refresh", "refresh", cookie);
      wire?.close();
    },
    async checkRegistered(): Promise<void> {
      for (let index = number; index < registered.length; index += Number(browsers)) {
        const person = registered[index];
        if (person === undefined) continue;
        const reply = await ask("hello", "GET", "/api/v1/hello", person.cookie);
        if (reply !== undefined && !reply.body.includes(person.email)) failures.set(`${person.email} is another`, 1);
      }
      wire?.close();
    },
  };
}

const crowd = Array.from({ length: Number(browsers) }, (_, number) => createBrowser(number));
void Bun.stdin.text().then(() => {
  isOver = true;
});
await Promise.all(crowd.map((browser) => browser.begin()));
console.log("begun");
// All browsers registering at once says nothing about the steady part.
slowestMs = 0;
const started = performance.now();
const before = total();
await Promise.all(crowd.map((browser) => browser.run()));
const seconds = (performance.now() - started) / 1000;
const during = total() - before;
await Promise.all(crowd.map((browser) => browser.checkRegistered()));
await Promise.all(crowd.map((browser) => browser.checkLast()));

console.log(
  JSON.stringify({
    perSecond: during / seconds,
    seconds,
    sent,
    failed: [...failures.values()].reduce((sum, count) => sum + count, 0),
    failures: Object.fromEntries([...failures].slice(0, 20)),
    slowestMs,
    registered: registered.length,
  }),
);
process.exit(0);
