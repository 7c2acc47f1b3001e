import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { createApp } from "../src/app/index.ts";
import { build } from "../src/cli/build.info.ts";
import { commands } from "../src/cli/table.ts";
import { unopenedDatabase } from "../src/cli/app/unopened.database.ts";
import { loadConfig, variables } from "../src/config/index.ts";
import { systemClock } from "../src/core/clock.ts";
import { exchangeReasons } from "../src/core/errors.ts";
import { topics } from "../src/core/topics.ts";
import { createLog } from "../src/observe/log.ts";
import { families } from "../src/observe/metrics/families.ts";
import { testEnvironment } from "./support/environment.ts";
import { manual } from "./support/manual.ts";
import { allTableRows, headings, links, tableRows } from "./support/markdown.ts";
import { idpEnvironment } from "./contract/idp/idp.fixture.ts";
import { statementId, statements, statementsIn, testedStatements } from "./support/statements.ts";
import { definitions } from "./support/definitions.ts";
import { webhookSecret } from "./support/receiver.ts";

// Closed sets, compared in both directions: what is there is written down, what is written down is there.
const root = join(import.meta.dir, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const filesOf = (...patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })]).toSorted();

async function describeApp(
  definition: (typeof definitions)[keyof typeof definitions] = definitions.app,
  more: Readonly<Record<string, string>> = {},
) {
  const optional = {
    API_DOCS_ENABLED: "true",
    SECURITY_CONTACT: "holes@example.test",
    AUTH_WEBAUTHN_ORIGINS: "https://shop.example.org",
    BACKUP_DISK: "default",
    LIGHTHOUSE_SECRET: "an operator's secret",
    WEBHOOK_LEDGER_URL: "https://ledger.example.test",
    WEBHOOK_LEDGER_SECRET: webhookSecret(),
    AUTH_PERSONAL_TOKENS_ENABLED: "true",
    ORGANIZATIONS_ENABLED: "true",
    AUTH_IMPERSONATION_ENABLED: "admin",
    ...idpEnvironment,
    AUTH_OAUTH_GITHUB_CLIENT_ID: "an id",
    AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret",
    ...more,
  };
  const loaded = loadConfig({ app: definition, env: { ...testEnvironment("/nowhere"), ...optional } });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [] });
  return createApp({
    definition,
    config: loaded.config,
    build,
    log,
    database: unopenedDatabase("sqlite"),
  });
}

/** Returns the routes of a table whose paths may end with choices, such as `/people/:id/{unlock,disable}`. */
const pagesIn = (rows: ReturnType<typeof tableRows>): readonly string[] =>
  rows
    .filter(({ kind }) => kind === "method")
    .flatMap(({ cells: [methods = "", path = ""] }) => {
      const [, start = path, choices = ""] = /^(.*)\{(.*)\}$/.exec(path) ?? [];
      return methods.split(", ").flatMap((method) => choices.split(",").map((end) => `${method} ${start}${end}`));
    });

describe("the manual", () => {
  test("the table under Commands has every command", () => {
    const documented = tableRows(manual, "Commands").map(({ cells }) => (cells[0] ?? "").split(" ")[0] ?? "");
    expect(documented.toSorted()).toEqual([...commands.keys()].toSorted());
  });

  test("the table under API has every route", async () => {
    const app = await describeApp();
    // What a page loads is part of that page.
    const isAsset = (path: string): boolean =>
      path.startsWith("/lighthouse/assets/") ||
      path.startsWith("/account/assets/") ||
      path.startsWith("/oauth2/assets/") ||
      (path.startsWith("/openapi/") && path !== "/openapi/json");
    const routes = app.routes().filter(({ path }) => !isAsset(path));
    await app.close();
    const documented = tableRows(manual, "API")
      .filter(({ kind }) => kind === "method")
      .map(({ cells: [method, path] }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test("the table of Pages without JavaScript has every page that the server writes in place of the account pages", async () => {
    const app = await describeApp(definitions.app, { FRONTEND_KIT: "server", AUTH_EMAIL_LOGIN_ENABLED: "true" });
    const elsewhere =
      /^\/(?:\.well-known\/[josw]|(?:account\/assets|lighthouse|openapi|-|metrics|oauth2|device|impersonate|api)(?:\/|$))/;
    const routes = app.routes().filter(({ path }) => !elsewhere.test(path));
    await app.close();
    const documented = pagesIn(tableRows(read("src/docs/people/scriptless.md"), "Paths"));
    expect(documented.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test("the table under The admin app has every page of that app", async () => {
    const app = await describeApp(definitions.admin);
    const elsewhere = /^\/(?:assets|lighthouse|openapi|-|metrics|\.well-known)(?:\/|$)/;
    const routes = app.routes().filter(({ path }) => !elsewhere.test(path));
    await app.close();
    const documented = pagesIn(tableRows(manual, "The admin app"));
    expect(documented.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test("the table under Jobs and schedules has every job and every schedule", async () => {
    const app = await describeApp();
    const names = [...app.jobs(), ...app.schedules().map(({ name }) => name)];
    await app.close();
    const documented = tableRows(manual, "Jobs and schedules").map(({ cells }) => cells[0] ?? "");
    expect(documented.toSorted()).toEqual(names.toSorted());
  });

  test("the table under Events has every topic, with the fields of its payload", () => {
    const documented = tableRows(manual, "Events");
    const fields = documented.map(({ cells: [topic = "", payload = ""] }) => `${topic}: ${payload}`);
    const known = Object.entries(topics).map(
      ([topic, { properties }]) => `${topic}: ${Object.keys(properties).join(", ")}`,
    );
    const sortedFields = (line: string): string =>
      line.replace(/: (.*)/, (_, list: string) => `: ${list.split(", ").toSorted().join(", ")}`);
    expect(fields.map(sortedFields).toSorted()).toEqual(known.map(sortedFields).toSorted());
  });

  test("the table under Sign-in with a provider has every reason why a provider's answer was of no use", () => {
    const rows = tableRows(manual, "Sign-in with a provider").filter(({ kind }) => kind === "reason");
    const documented = rows.flatMap(({ cells: [reasons = ""] }) => reasons.split(", "));
    expect(documented.toSorted()).toEqual(exchangeReasons.toSorted());
  });

  test("the table under Metrics has every family with its type and labels", () => {
    const documented = tableRows(manual, "Metrics").map(({ cells: [family, type, labels] }) => [family, type, labels]);
    const existing = Object.entries(families).map(([name, { type, labels }]) => [name, type, labels.join(", ")]);
    expect(documented.toSorted()).toEqual(existing.toSorted());
  });
});

test("README.md has at most 150 lines: what is longer belongs into the manual", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

describe("Markdown", () => {
  const pages = filesOf("*.md", "src/**/*.md");
  const anchorsOf = (path: string): string[] => headings(read(path)).map(({ anchor }) => anchor);

  test("every link leads to a file that is there, and to a heading of it", () => {
    expect(pages.length).toBeGreaterThan(4);
    const all = pages.flatMap((page) => links(read(page)).map(({ target }) => ({ page, target })));
    const inside = all.filter(({ target }) => !/^[a-z]+:/.test(target));
    expect(inside.length).toBeGreaterThan(50);
    const astray = inside.filter(({ page, target }) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    });
    expect(astray.map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
    expect(all.filter(({ target }) => /^http:|^[a-z]+:(?!\/\/)/.test(target))).toEqual([]);
  });
});

describe("SECURITY.md", () => {
  const promised = statements(read("SECURITY.md"));
  const proven = testedStatements(root);

  test("every promise has an id of its own and says how it is tested", () => {
    expect(promised.length).toBeGreaterThan(116);
    const ids = promised.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.filter((id) => statementsIn(id).length !== 1)).toEqual([]);
    expect(promised.filter(({ how }) => how === "")).toEqual([]);
    const families = Map.groupBy(ids, (id) => id.slice(0, 1));
    // In rising order, so that a promise is found by its id; several hands add to a family at once, each from a range of its own.
    const numberOf = (id: string): number => Number(id.slice(2));
    for (const members of families.values())
      expect(members).toEqual(members.toSorted((a, b) => numberOf(a) - numberOf(b)));
  });

  test("the table of attacks on the provider has every section of RFC 9700, and promises that there are", () => {
    const attacks = allTableRows(read("SECURITY.md")).filter(({ kind }) => kind === "attack");
    const described = attacks.map(({ cells }) => cells[1] ?? "").join(" ");
    const sections = Array.from({ length: 17 }, (_one, index) => `4.${index + 1}`);
    expect(sections.filter((section) => !new RegExp(`RFC 9700, ${section}\\b(?!\\d)`).test(described))).toEqual([]);
    const known = new Set(promised.map(({ id }) => id));
    const covered = attacks.map(({ cells: [attack = "", , ids = ""] }) => ({ attack, ids: statementsIn(ids) }));
    expect(covered.filter(({ ids }) => ids.length === 0 || ids.some((id) => !known.has(id)))).toEqual([]);
  });

  test("every promise has a test with its id in the name, or says that it has none", () => {
    const without = promised.filter(({ id }) => !proven.has(id));
    process.stdout.write(
      `without a test: ${without.map(({ id, how }) => `${id} (${how.split(":")[0]})`).join(", ")}\n`,
    );
    expect(without.filter(({ tested }) => tested).map(({ id }) => id)).toEqual([]);
    // What says that it has none must not have one: the word would be out of date.
    expect(promised.filter(({ id, tested }) => !tested && proven.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test("every id in the name of a test is a promise", () => {
    expect(proven.size).toBeGreaterThan(100);
    const known = new Set(promised.map(({ id }) => id));
    const unknown = [...proven].filter(([id]) => !known.has(id)).map(([id, paths]) => `${id}: ${paths.join(", ")}`);
    expect(unknown).toEqual([]);
  });
});

describe("ARCHITECTURE", () => {
  const documented = tableRows(read("ARCHITECTURE.md"), "Folders").map(({ cells }) => cells[0] ?? "");

  test("the table under Folders has every folder of src", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(documented.filter((path) => path.startsWith("src/")).toSorted()).toEqual(
      folders.map(({ name }) => `src/${name}`).toSorted(),
    );
  });

  test("every folder it names is there", () => {
    expect(documented.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("every file that it names is there", () => {
    const named = [...read("ARCHITECTURE.md").matchAll(/`([a-z*][\w*./-]*\.tsx?)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(10);
    const absent = named.filter((path) => filesOf(path, `src/${path}`, `src/**/${path}`).length === 0);
    expect(absent).toEqual([]);
  });
});

const documents = filesOf("*.md").map((name) => name.replace(".md", ""));

/** What sends a reader to something that is not here, and the files in which it must not stand. */
const citations = [
  {
    what: "a chapter of an absent document",
    pattern: /\b(?!ASVS|OWASP|NIST)[A-Z]{4,} §|\b(?:SEED|CONTRACT|PROTOTYPES)\b/,
    files: /./,
  },
  {
    what: "an absent document",
    pattern: new RegExp(`\\b(?!(?:${documents.join("|")})\\b)[A-Z]{4,}\\.md\\b`),
    files: /./,
  },
  {
    what: "an id of SECURITY.md, in place of the reason",
    pattern: statementId,
    // The chapters about standards are tables of them.
    files: /^(?:src(?!\/docs\/reference\/(?:asvs|wcag|fapi|nist)\.md$)|migrations|systemd)\/|^build\.ts$/,
  },
  { what: "an id of SECURITY.md, outside a name", pattern: /SECURITY [A-Z]-\d{2}/, files: /^test\// },
];

test("words stand alone: nothing refers to a document that is not in the repository", () => {
  const own = relative(root, import.meta.path);
  // The licences of others speak of the documents that are in their own repositories.
  const paths = filesOf("{src,migrations,systemd,test,.ci}/**/*", "*.{md,ts,json,toml}", ".env.example").filter(
    (path) => !path.startsWith("src/build/licences/"),
  );
  expect(paths.length).toBeGreaterThan(300);
  const complaints = paths
    .filter((path) => path !== own && !path.endsWith(".bin"))
    .flatMap((path) =>
      read(path)
        .split("\n")
        .flatMap((line, index) =>
          citations
            .filter(({ pattern, files }) => files.test(path) && line.search(pattern) >= 0)
            .map(({ what }) => `${path}:${index + 1}: ${what}: ${line.trim()}`),
        ),
    );
  expect(complaints).toEqual([]);
});

test("environment examples set only variables that exist", () => {
  const known = new Set<string>(variables.flatMap(({ name }) => [name, `APP_${name}`, `ADMIN_${name}`]));
  const examples = [...new Bun.Glob("{.env.example,systemd/*.env.example}").scanSync({ cwd: root, dot: true })];
  const unknown = examples.flatMap((path) =>
    [...read(path).matchAll(/^#?\s*([A-Z][A-Z0-9_]*)=/gm)].flatMap(([, name = ""]) =>
      known.has(name) ? [] : [`${path}: ${name}`],
    ),
  );
  expect(unknown).toEqual([]);
});

test("the units load every secret that a deployment can have", () => {
  const units = read("systemd/units/gatehouse-.service.d/15-secrets.conf");
  const secrets = variables.filter((variable) => "secret" in variable && !/^AUTH_BOOTSTRAP_|</.test(variable.name));
  expect(secrets.length).toBeGreaterThan(3);
  const missing = secrets.filter(({ name }) => !units.includes(`\nLoadCredential=${name}:gatehouse.${name}\n`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
