import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../src/app/index.ts";
import { build } from "../src/cli/build.info.ts";
import { commands } from "../src/cli/table.ts";
import { unopenedDatabase } from "../src/cli/unopened.database.ts";
import { loadConfig, variables } from "../src/config/index.ts";
import { systemClock } from "../src/core/clock.ts";
import { topics } from "../src/core/topics.ts";
import { definition } from "../src/main.ts";
import { createLog } from "../src/observe/log.ts";
import { families } from "../src/observe/metrics.families.ts";
import { testEnvironment } from "./support/environment.ts";
import { tableRows } from "./support/markdown.ts";

// Closed sets, compared in both directions: what is there is written down, what is written down is there.
const root = join(import.meta.dir, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
async function describeApp() {
  const optional = {
    API_DOCS_ENABLED: "true",
    BACKUP_DISK: "default",
    LIGHTHOUSE_SECRET: "an operator's secret",
    AUTH_OAUTH_GITHUB_CLIENT_ID: "an id",
    AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret",
  };
  const loaded = loadConfig({ app: "app", env: { ...testEnvironment("/nowhere"), ...optional } });
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

describe("README", () => {
  test("the table under Commands has every command", () => {
    const documented = tableRows(read("README.md"), "Commands").map(
      ({ cells }) => (cells[0] ?? "").split(" ")[0] ?? "",
    );
    expect(documented.toSorted()).toEqual([...commands.keys()].toSorted());
  });

  test("the tables under Configuration have every variable, with its default", () => {
    const rows = tableRows(read("README.md"), "Configuration").filter(({ kind }) => kind === "variable");
    const names = rows.map(({ cells }) => cells[0] ?? "").toSorted();
    expect(names).toEqual(variables.map(({ name }) => name).toSorted());
    const defaults = new Map(rows.map(({ cells }) => [cells[0], cells[1]]));
    const wrong = variables.filter(({ name, fallback }) => (fallback ?? "") !== "" && defaults.get(name) !== fallback);
    expect(wrong.map(({ name, fallback }) => `${name}: ${fallback}`)).toEqual([]);
    const marked = rows.filter(({ cells }) => cells[2]?.startsWith("*secret.*")).map(({ cells }) => cells[0] ?? "");
    const secrets = variables.filter((variable) => "secret" in variable).map(({ name }) => name);
    expect(marked.toSorted()).toEqual(secrets.toSorted());
  });

  test("the table under API has every route", async () => {
    const app = await describeApp();
    // What a page loads is part of that page.
    const isAsset = (path: string): boolean =>
      path.startsWith("/lighthouse/assets/") || (path.startsWith("/openapi/") && path !== "/openapi/json");
    const routes = app.routes().filter(({ path }) => !isAsset(path));
    await app.close();
    const documented = tableRows(read("README.md"), "API")
      .filter(({ kind }) => kind === "method")
      .map(({ cells: [method, path] }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test("the table under Jobs and schedules has every job and every schedule", async () => {
    const app = await describeApp();
    const names = [...app.jobs(), ...app.schedules().map(({ name }) => name)];
    await app.close();
    const documented = tableRows(read("README.md"), "Jobs and schedules").map(({ cells }) => cells[0] ?? "");
    expect(documented.toSorted()).toEqual(names.toSorted());
  });
});

describe("README on events", () => {
  const documented = tableRows(read("README.md"), "Events");

  test("the table under Events has every topic, with the fields of its payload", () => {
    const fields = documented.map(({ cells: [topic = "", payload = ""] }) => `${topic}: ${payload}`);
    const known = Object.entries(topics).map(
      ([topic, { properties }]) => `${topic}: ${Object.keys(properties).join(", ")}`,
    );
    const sortedFields = (line: string): string =>
      line.replace(/: (.*)/, (_, list: string) => `: ${list.split(", ").toSorted().join(", ")}`);
    expect(fields.map(sortedFields).toSorted()).toEqual(known.map(sortedFields).toSorted());
  });
});

test("README's table under Metrics has every family with its type and labels", () => {
  const documented = tableRows(read("README.md"), "Metrics").map(({ cells: [family, type, labels] }) => [
    family,
    type,
    labels,
  ]);
  const existing = Object.entries(families).map(([name, { type, labels }]) => [name, type, labels.join(", ")]);
  expect(documented.toSorted()).toEqual(existing.toSorted());
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
