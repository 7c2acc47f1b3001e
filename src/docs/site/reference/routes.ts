import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../app/index.ts";
import { build } from "../../../cli/build.info.ts";
import { unopenedDatabase } from "../../../cli/app/unopened.database.ts";
import { loadConfig } from "../../../config/index.ts";
import { systemClock } from "../../../core/clock.ts";
import { definition } from "../../../main.ts";
import { createLog } from "../../../observe/log.ts";
import { listOf, objectOf, textOf, type Json } from "./json.ts";
import { table } from "./tables.ts";

/** Asks the app for the OpenAPI document that it serves: what is written about a route is what the route says of itself. */
export async function readDocument(): Promise<Json> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-docs-"));
  const secret = (): string => randomBytes(32).toString("base64url");
  const env = {
    APP_ENV: "testing",
    APP_KEY: secret(),
    APP_DIAG_TOKEN: secret(),
    API_JWT_SECRET_KEY: secret(),
    API_HTTP_PORT: "0",
    API_HTTP_HOST: "127.0.0.1",
    API_DOCS_ENABLED: "true",
    DB_DATABASE: join(folder, "app.db"),
    STORAGE_PATH: join(folder, "storage"),
    METRICS_JOBS_PORT: "0",
    METRICS_SCHEDULER_PORT: "0",
    ORGANIZATIONS_ENABLED: "true",
    AUTH_PERSONAL_TOKENS_ENABLED: "true",
  };
  const loaded = loadConfig({ app: definition, env });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [] });
  const app = await createApp({ definition, config: loaded.config, build, log, database: unopenedDatabase("sqlite") });
  try {
    const { url } = await app.http.start();
    const answer = await fetch(new URL("/openapi/json", url));
    if (!answer.ok) throw new Error(`the document of the API can't be had: ${answer.status}`);
    return objectOf(await answer.json());
  } finally {
    await app.http.stop(0);
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every route by its group: what it takes, and what it answers. */
export function routeSections(document: Json): string {
  const components = objectOf(document["components"]);
  const resolve = (value: unknown): Json => {
    const found = objectOf(value);
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(textOf(found["$ref"])) ?? [];
    return kind === undefined || name === undefined ? found : objectOf(objectOf(components[kind])[name]);
  };
  const kind = (value: unknown): string => {
    const schema = resolve(value);
    const ways = listOf(schema["anyOf"] ?? schema["oneOf"]);
    if (ways.length > 0) return [...new Set(ways.map(kind))].join(" or ");
    if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
    const values = listOf(schema["enum"]);
    if (values.length > 0) return values.map((each) => JSON.stringify(each)).join(", ");
    if (schema["type"] === "array") return `list of ${kind(schema["items"])}`;
    return listOf(schema["type"]).join(" or ") || textOf(schema["type"]) || "any";
  };
  const fieldRows = (value: unknown): readonly (readonly string[])[] => {
    const schema = resolve(value);
    const parts = [schema, ...listOf(schema["allOf"]).map(resolve)];
    const needed = new Set(parts.flatMap((part) => listOf(part["required"])));
    return parts.flatMap((part) =>
      Object.entries(objectOf(part["properties"])).map(([name, field]) => [
        `\`${name}\``,
        kind(field),
        needed.has(name) ? "yes" : "",
        textOf(resolve(field)["description"]),
      ]),
    );
  };

  const routes = Object.entries(objectOf(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, found]) => ({ path, method, found: objectOf(found) })),
  );
  const answersOf = (found: Json): readonly (readonly [string, string])[] =>
    Object.entries(objectOf(found["responses"])).map(([status, answer]) => [
      status,
      textOf(resolve(answer)["description"]),
    ]);
  /** What every route may answer is said once. */
  const everywhere = (routes[0] === undefined ? [] : answersOf(routes[0].found)).filter(([status, meaning]) =>
    routes.every(({ found }) => answersOf(found).some((answer) => answer[0] === status && answer[1] === meaning)),
  );
  const isEverywhere = ([status]: readonly [string, string]): boolean =>
    everywhere.some(([common]) => common === status);
  const groupOf = ({ found }: (typeof routes)[number]): string => textOf(listOf(found["tags"])[0]) || "others";
  const describe = ({ path, method, found }: (typeof routes)[number]): string => {
    const body = objectOf(objectOf(objectOf(found["requestBody"])["content"])["application/json"])["schema"];
    const fields = body === undefined ? [] : fieldRows(body);
    const answers = answersOf(found).filter((answer) => !isEverywhere(answer));
    return [
      `### ${method.toUpperCase()} ${path}`,
      `${textOf(found["summary"])}. Operation id: \`${textOf(found["operationId"])}\`.`,
      textOf(found["description"]),
      ...(fields.length === 0 ? [] : ["What it takes:", table(["field", "kind", "needed", "meaning"], fields)]),
      ...(answers.length === 0 ? [] : ["What it answers:", table(["status", "what it means"], answers)]),
    ]
      .filter((piece) => piece !== "")
      .join("\n\n");
  };
  return [
    "Every route may answer these as well:",
    table(["status", "what it means"], everywhere),
    ...[...Map.groupBy(routes, groupOf)].flatMap(([group, members]) => [`## ${group}`, ...members.map(describe)]),
  ].join("\n\n");
}
