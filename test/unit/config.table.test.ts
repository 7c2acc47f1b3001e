import { describe, expect, test } from "bun:test";
import { loadConfig, secretValues, variables } from "../../src/config/index.ts";
import { createReader } from "../../src/config/reader.ts";
import { table } from "../../src/config/variables/index.ts";
import {
  isNamed,
  isOptional,
  isResources,
  isVariable,
  type Entry,
  type Variable,
} from "../../src/config/variables/kinds/variable.ts";
import { definitions } from "../support/definitions.ts";

const secrets = {
  API_JWT_SECRET_KEY: "Mz1Xk8Wq5Jr2Tn7Yb4Vc9Pd6Lf3Hg0Sa",
  APP_KEY: "Qe4Rt7Yu1Io9Pa5Sd8Fg2Hj6Kl3Zx0Cv",
  APP_DIAG_TOKEN: "Bn5Mq8We2Rt6Yu9Io3Pa7Sd1Fg4Hj0Kl",
};

/** Returns every variable with the value at its keys of the configuration, without sections that are undefined as a whole. */
function placed(entry: Entry, value: unknown): readonly (readonly [Variable, unknown])[] {
  if (isVariable(entry)) return [[entry, value]];
  if (isOptional(entry)) return value === undefined ? [] : placed(entry.section, value);
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(value ?? {}));
  if (isNamed(entry)) return [];
  if (isResources(entry)) return placed(entry.default, fields.get("default"));
  return Object.entries(entry).flatMap(([key, inner]) => placed(inner, fields.get(key)));
}

function configOf(env: Record<string, string>) {
  const loaded = loadConfig({ app: definitions.app, env: { ...secrets, ...env } });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config;
}

describe("the table of variables", () => {
  test("every value stands in the configuration where its variable stands in the table", () => {
    const optional = variables
      .filter((variable) => variable.optional === true && !variable.name.includes("<NAME>"))
      .map(({ name }) => name);
    const found = placed(table, configOf({}));
    expect(found.filter(([, value]) => value === undefined).map(([{ name }]) => name)).toEqual(optional);
    const absent = variables.filter(({ name }) => !found.some(([variable]) => variable.name === name));
    // Providers, the bootstrap account and named resources are undefined as a whole until they are asked for.
    expect(absent.filter(({ name }) => !/^AUTH_(?:OAUTH|BOOTSTRAP)_|_<NAME>_/.test(name))).toEqual([]);
  });

  test("every default obeys the rule of its variable, for each app and APP_ENV", () => {
    for (const app of ["app", "admin"] as const) {
      for (const APP_ENV of ["local", "production"]) {
        const reader = createReader({ app: definitions[app], env: { APP_ENV }, unread: new Set() });
        const wrong = variables
          .map((variable) => ({ variable, value: reader.text(variable) }))
          .filter(({ variable, value }) => value !== "" && variable.kind.complaint(value) !== undefined);
        expect(wrong).toEqual([]);
      }
    }
  });

  test("a named resource has the settings of the default one, with the same choices", () => {
    const settings = Object.values<Entry>({ ...table, queue: table.queue.resources }).filter(isResources);
    expect(settings.map(({ family }) => family)).toEqual(["CACHE", "EVENTS", "STORAGE", "QUEUE"]);
    const kinds = (section: object): unknown[] => Object.entries(section).map(([key, { kind }]) => [key, kind]);
    for (const family of settings) expect(kinds(family.named)).toEqual(kinds(family.default));
  });

  test("no name is given to two variables", () => {
    const names = variables.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test("every secret that is set is kept out of the log", () => {
    const set = {
      ...secrets,
      API_JWT_PREVIOUS_SECRET_KEYS: "Xc6Vb9Nm2As5Df8Gh1Jk4Lq7We0Rt3Yu,Tg3Hy6Uj9Ik2Ol5Pq8Aw1Sx4De7Cr0Fv",
      LIGHTHOUSE_SECRET: "Ui2Op5As8Df1Gh4Jk7Lz0Xc3Vb6Nm9Qw",
      AUTH_BOOTSTRAP_PASSWORD: "Er5Ty8Ui1Op4As7Df0Gh3Jk6Lz9Xc2Vb",
      MAIL_SMTP_USERNAME: "gatehouse",
      MAIL_SMTP_PASSWORD: "Nm4Qw7Er0Ty3Ui6Op9As2Df5Gh8Jk1Lz",
      AUTH_OAUTH_GOOGLE_CLIENT_ID: "gatehouse",
      AUTH_OAUTH_GOOGLE_CLIENT_SECRET: "Xc7Vb0Nm3Qw6Er9Ty2Ui5Op8As1Df4Gh",
    };
    const { MAIL_SMTP_USERNAME: _, AUTH_OAUTH_GOOGLE_CLIENT_ID: __, ...kept } = set;
    const texts = Object.values(kept).flatMap((value) => value.split(","));
    expect([...secretValues(configOf(set))].toSorted()).toEqual(texts.toSorted());
    const REDIS_URL = "redis://ada:Xp9%2FRm4Zt7@redis.example.test";
    expect(secretValues(configOf({ REDIS_URL }))).toEqual(
      expect.arrayContaining([REDIS_URL, "Xp9%2FRm4Zt7", "Xp9/Rm4Zt7"]),
    );
  });
});

test("what is said of a port that is not the same in both apps is true of both", () => {
  const { app, admin } = definitions;
  const spoken = (name: string): string => variables.find((variable) => variable.name === name)?.description ?? "";
  expect(spoken("API_HTTP_PORT")).toContain(`${app.ports.http}, in the admin binary ${admin.ports.http};`);
  expect(spoken("METRICS_JOBS_PORT")).toContain(`${app.ports.worker}, in the admin binary ${admin.ports.worker};`);
  const { scheduler } = app.ports;
  expect(spoken("METRICS_SCHEDULER_PORT")).toContain(`${scheduler}, in the admin binary ${admin.ports.scheduler};`);
});
