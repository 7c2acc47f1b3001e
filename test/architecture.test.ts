import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "..");
const mostLinesInSrc = 250;
const mostLinesInTest = 300;

interface Source {
  readonly path: string;
  readonly text: string;
  /** What it imports of our own, `import type`, `export from` and `import()` included, as paths from the root. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

const importing = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)["']([^"']+)["']/g;

function readSources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(root, path), "utf8");
      const named = [...text.matchAll(importing)].map(([, specifier = ""]) => specifier);
      return {
        path,
        text,
        imports: named
          .filter((name) => name.startsWith("."))
          .map((name) => relative(root, join(root, dirname(path), name))),
        packages: named.filter((name) => !name.startsWith(".")),
      };
    });
}

const sources = readSources("src");
/** What is none of these is a feature. */
const layers = "core config observe drivers http words host app cli docs make up build client kits".split(" ");

/** Layer → what layers and files it may import besides itself. `index` stands for the index.ts of another feature. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  config: ["core"],
  observe: ["core"],
  drivers: ["core"],
  words: ["core"],
  http: ["core", "config", "observe", "drivers", "words"],
  features: ["core", "config", "observe", "http", "drivers", "words", "account/shared"],
  app: ["core", "config", "observe", "http", "drivers", "words", "features", "migrations"],
  host: ["core", "systemd"],
  cli: ["core", "config", "observe", "app", "drivers", "host", "migrations", "words"],
  main: ["cli", "app"],
  // The site of the manual, in no binary: its reference is made from the tables of everything else.
  docs: ["core", "config", "observe", "app", "cli", "main", "features", "words"],
  make: ["core"],
  up: [],
  build: [
    "package.json",
    "bun.lock",
    "src/client/package.json",
    "src/auth/password/breached.filter.ts",
    "src/core/support.ts",
  ],
  // Apps elsewhere import it, and of this tree the browser's part of the account pages; `shared` is that part's and the server's.
  client: [],
  // Servers and frameworks of apps import it. It is given its own client by the package, and nothing of the server.
  kits: ["client"],
  "account/browser": ["client", "account/shared", "core", "words"],
  "account/shared": ["core", "words"],
};
const mayUse: Readonly<Record<string, readonly string[]>> = {
  oauth: ["auth"],
  idp: ["auth"],
  hello: ["auth"],
  kit: ["auth"],
  impersonation: ["auth"],
  backend: ["auth"],
  organization: ["auth", "backend"],
  staff: ["auth", "audit", "figures", "idp", "kit", "maintenance", "organization", "scheduler", "webhook"],
};

function layerOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  if (top !== "src") return top;
  if (second === "main.ts" || second === "admin.ts") return "main";
  const programs = /^src\/(account\/(?:browser|shared))\//.exec(path)?.[1];
  if (programs !== undefined) return programs;
  return layers.includes(second) ? second : "features";
}

/** The rooms of `auth` below its flows. */
const lower =
  "base user metadata token grant invitation password mail factor session delegation impersonation pressure".split(" ");
/** Inside `auth`: room → the rooms it may use besides itself. What lies in no room is the base, but what wires them up. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  user: ["base"],
  grant: ["base", "user"],
  password: ["base", "user"],
  invitation: ["base", "user"],
  metadata: ["base", "user"],
  token: ["base", "user"],
  mail: ["base", "user", "grant", "invitation"],
  factor: ["base", "user", "mail"],
  session: ["base", "user", "metadata", "token", "mail", "factor"],
  pressure: ["base", "user", "mail"],
  delegation: ["base", "user", "mail", "factor", "session"],
  impersonation: ["base", "user", "mail", "session"],
  transfer: ["base", "user", "metadata", "password"],
  flow: lower,
  people: [...lower, "flow"],
  routes: [...lower, "flow"],
};
const wiring = /^src\/auth\/(?:(?:index|cleanup)\.ts$|wiring\/)/;

function roomOf(path: string): string {
  const [, , second = "", third] = path.split("/");
  return third === undefined ? "base" : second;
}

/** Inside `inspect`: room → the files and folders of other rooms that it may use. index.ts alone wires them up. */
const inspectDoors: Readonly<Record<string, readonly string[]>> = {
  record: [],
  watch: ["src/inspect/record/recorder.ts"],
  pages: ["src/inspect/record/inspect.ts", "src/inspect/record/store.ts"],
  lighthouse: ["src/inspect/record/inspect.ts", "src/inspect/record/store.ts", "src/inspect/pages/"],
};

const folderOf = (path: string): string => path.split("/")[1] ?? "";

function complaint(source: Source, target: string): string | undefined {
  const [from, to] = [layerOf(source.path), layerOf(target)];
  if (from !== to && ![to, target].some((each) => (allowed[from] ?? []).includes(each)))
    return `${source.path} imports ${target}: ${from} must not use ${to}`;
  // Who uses a port sees its type; only the composition root and the commands open a driver.
  const isPort = target.endsWith("/index.ts");
  if (to === "drivers" && !["drivers", "app", "cli"].includes(from) && !isPort)
    return `${source.path} imports the driver ${target}`;
  if (to === "host" && from !== "host" && target !== "src/host/index.ts")
    return `${source.path} imports ${target}: the commands for a host only through src/host/index.ts`;
  if (from === "features" && to === "features" && folderOf(source.path) !== folderOf(target)) {
    if (!isPort) return `${source.path} imports ${target}: another feature only through its index.ts`;
    if (!(mayUse[folderOf(source.path)] ?? []).includes(folderOf(target)))
      return `${source.path} imports ${target}: add the two to mayUse, or have src/app hand over what is needed`;
  }
  return undefined;
}

test("imports point one way: main → cli → app → features → http, observe, driver types → core", () => {
  expect(sources.length).toBeGreaterThan(20);
  // What a generator's template imports is the business of the file that is made of it.
  const written = sources.filter(({ path }) => path !== "src/make/templates.ts");
  const complaints = written.flatMap((source) => source.imports.flatMap((target) => complaint(source, target) ?? []));
  expect(complaints).toEqual([]);
});

/** Chains of imports that lead back to the file they start from. */
function findCircles(): readonly string[] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const circles = new Set<string>();
  const finished = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.add([...way.slice(start), path].join(" → "));
    if (start >= 0 || finished.has(path)) return;
    for (const target of importsOf.get(path) ?? []) visit(target, [...way, path]);
    finished.add(path);
  };
  for (const path of importsOf.keys()) visit(path, []);
  return [...circles];
}

test("no file is in an import circle, type imports included: it can be read and moved without those that use it", () => {
  expect(findCircles()).toEqual([]);
});

test("inside auth: routes → flow → session, pressure, grant, password, factor, mail → user", () => {
  const inAuth = (path: string): boolean => path.startsWith("src/auth/");
  const own = sources.filter(({ path }) => inAuth(path) && !wiring.test(path));
  expect(own.length).toBeGreaterThan(20);
  expect([...new Set(own.map(({ path }) => roomOf(path)))].toSorted()).toEqual(Object.keys(rooms).toSorted());
  const complaints = own.flatMap(({ path, imports }) =>
    imports
      .filter((target) => inAuth(target) && roomOf(target) !== roomOf(path))
      .filter((target) => wiring.test(target) || !(rooms[roomOf(path)] ?? []).includes(roomOf(target)))
      .map((target) => `${path} imports ${target}`),
  );
  expect(complaints).toEqual([]);
});

test("inside inspect: watch uses the recorder, lighthouse the pages and the store, and record knows none of them", () => {
  const inInspect = (path: string): boolean => path.startsWith("src/inspect/");
  const own = sources.filter(({ path }) => inInspect(path) && path !== "src/inspect/index.ts");
  expect([...new Set(own.map(({ path }) => roomOf(path)))].toSorted()).toEqual(Object.keys(inspectDoors).toSorted());
  const complaints = own.flatMap(({ path, imports }) =>
    imports
      .filter((target) => inInspect(target) && roomOf(target) !== roomOf(path))
      .filter((target) => !(inspectDoors[roomOf(path)] ?? []).some((door) => target.startsWith(door)))
      .map((target) => `${path} imports ${target}`),
  );
  expect(complaints).toEqual([]);
});

test.each(["health", "maintenance"])("the %s commands load no database, cache or app", (name) => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const source = sources.find((candidate) => candidate.path === path);
    const types = new Set(
      [...(source?.text.matchAll(/import type [^;]*from\s*["']([^"']+)["']/g) ?? [])].map(([, name = ""]) =>
        join(dirname(path), name),
      ),
    );
    for (const target of source?.imports ?? []) if (!types.has(target)) visit(target);
  };
  visit(`src/cli/commands/${name}.ts`);
  expect(seen.size).toBeGreaterThan(5);
  const loaded = [...seen].filter((path) => ["drivers", "app", "features", "http"].includes(layerOf(path)));
  expect(loaded).toEqual([]);
});

test("no feature declares a route twice: of two with the same path the later one would win in silence", () => {
  const declared = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\.(get|post|put|patch|delete)\(\s*["'](\/[^"']*)["']/g)].map(
      ([, method = "", route = ""]) => `${method.toUpperCase()} ${route} in ${dirname(path)}`,
    ),
  );
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.filter((each, index) => declared.indexOf(each) !== index)).toEqual([]);
});

test("SQL is only in repositories and database drivers", () => {
  const statement =
    /[`"']\s*(?:select\s[\s\S]+?\sfrom\s|insert\s+(?:or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s)/i;
  const elsewhere = sources.filter(
    ({ path, text }) =>
      statement.test(text) && !path.endsWith(".repository.ts") && !path.startsWith("src/drivers/database/"),
  );
  expect(elsewhere.map(({ path }) => path)).toEqual([]);
});

test("packages that are to be replaceable stay in one file", () => {
  const homes: Readonly<Record<string, string>> = {
    arctic: "src/oauth/exchange/exchange.ts",
    citty: "src/cli/command.ts",
    nodemailer: "src/drivers/mail/smtp.ts",
    "@node-rs/argon2": "src/auth/password/password.hash.ts",
    "@elysiajs/jwt": "src/auth/session/token.keys.ts",
    "@elysiajs/cookie": "src/http/response/cookies.ts",
    "bun:sqlite": "src/drivers/database/",
    "ipaddr.js": "src/core/address/address.ts",
    aws4fetch: "src/drivers/storage/s3/client.ts",
    tldts: "src/core/address/public.suffix.ts",
    "@simplewebauthn/server": "src/auth/factor/passkey/passkey.check.ts",
    "@oslojs/otp": "src/auth/factor/totp/totp.ts",
    uqr: "src/auth/factor/totp/totp.qr.ts",
  };
  const strays = sources.flatMap(({ path, packages }) =>
    packages
      .filter((name) => homes[name] !== undefined && !path.startsWith(homes[name]))
      .map((name) => `${path} imports ${name}`),
  );
  expect(strays).toEqual([]);
});

test("what only second factors need is loaded by whoever first uses it: a start and a login without them pay nothing", () => {
  const lazy = ["@simplewebauthn/server", "@simplewebauthn/server/helpers", "@oslojs/otp", "uqr"];
  const users = sources.filter(({ packages }) => packages.some((name) => lazy.includes(name)));
  expect(users.length).toBeGreaterThan(2);
  const loadedAtOnce = users.flatMap(({ path, text }) =>
    new Bun.Transpiler({ loader: "ts" })
      .scanImports(text)
      .filter((found) => found.kind === "import-statement" && lazy.includes(found.path))
      .map((found) => `${path} imports ${found.path}`),
  );
  expect(loadedAtOnce).toEqual([]);
});

test("only the command line, the generators, the build, the log and the warnings of the kits write to the console", () => {
  const writers = sources
    .filter(({ text }) => /\bconsole\.\w+\(|process\.std(?:out|err)\b/.test(text))
    .map(({ path }) => path);
  expect(
    writers.filter((path) => !/^src\/(?:(?:build|cli|docs|make|observe)\/|kits\/js\/warning\.ts$)/.test(path)),
  ).toEqual([]);
});

test.each([
  ["src", mostLinesInSrc],
  ["test", mostLinesInTest],
])("no file in %s is longer than %d lines", (folder, most) => {
  const long = readSources(folder).filter(({ text }) => text.split("\n").length > most + 1);
  expect(long.map(({ path }) => path)).toEqual([]);
});
