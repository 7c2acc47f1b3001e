import { createRefusals } from "./refusals.ts";
import { createSchemas, isJson, type Json, type Schemas } from "./schema.ts";
import { tags } from "./tags.ts";

export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: {
    readonly body?: unknown;
    readonly params?: unknown;
    readonly query?: unknown;
    readonly response?: unknown;
    readonly detail?: unknown;
  };
}

interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly routes: readonly DescribedRoute[];
  /** The ways to be signed in that the `security` of a route refers to by name. */
  readonly securitySchemes: Readonly<Record<string, object>>;
}

const headers = {
  RequestId: {
    description: "The name of the request in the log: the one that was sent, where it was well-formed",
    required: true,
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "After how many seconds it is worth trying again (RFC 9110 §10.2.3)",
    schema: { type: "integer", minimum: 0 },
  },
  SetCookie: {
    description: "A new access cookie, where the old one had run out and the refresh cookie stood in for it",
    schema: { type: "string" },
  },
};

/** The OpenAPI 3.1 document of the routes that are not hidden. */
export function createDocument({ title, description, version, routes, securitySchemes }: DocumentOptions): object {
  const schemas = createSchemas();
  const refusals = createRefusals(schemas);
  const paths: Record<string, Record<string, Json>> = {};
  const usedTags = new Set<string>();

  function describe(route: DescribedRoute): void {
    const detail = isJson(route.hooks.detail) ? route.hooks.detail : {};
    if (detail["hide"] === true) return;
    const operationId = String(detail["operationId"] ?? "");
    const security = detail["security"] ?? [];
    const isGuarded = Array.isArray(security) && security.length > 0;
    const own = isJson(route.hooks.response) ? route.hooks.response : {};
    const refused = refusals.of(operationId, { ...route, isGuarded }, own);
    for (const tag of Array.isArray(detail["tags"]) ? detail["tags"] : []) usedTags.add(String(tag));
    const path = route.path.replaceAll(/:([^/]+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = {
      ...detail,
      security,
      ...parametersOf(route, detail, schemas),
      ...bodyOf(route, operationId, schemas),
      responses: withDetails({ ...answersOf(own, isGuarded, schemas), ...refused }, detail["responses"], refusals.named),
    };
  }

  for (const route of routes.toSorted((a, b) => (a.path < b.path ? -1 : 1))) describe(route);
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: [...usedTags].toSorted().map((name) => ({ name, description: tags[name] ?? "" })),
    paths,
    components: { schemas: schemas.named, responses: refusals.named, headers, securitySchemes },
  };
}

function parametersOf({ hooks }: DescribedRoute, detail: Json, schemas: Schemas): Json {
  const parameters = (["params", "query"] as const).flatMap((place) => {
    const schema = schemas.write(hooks[place] ?? {});
    const properties = isJson(schema) && isJson(schema["properties"]) ? schema["properties"] : {};
    const needed = isJson(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = isJson(property) ? property : {};
      return {
        name,
        in: place === "params" ? "path" : "query",
        required: needed.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      };
    });
  });
  const further = Array.isArray(detail["parameters"]) ? detail["parameters"] : [];
  return parameters.length + further.length === 0 ? {} : { parameters: [...parameters, ...further] };
}

/** A body is needed only where one of its fields is. */
function bodyOf({ hooks: { body } }: DescribedRoute, operationId: string, schemas: Schemas): Json {
  if (!isJson(body)) return {};
  const { examples, ...schema } = isJson(body["schema"]) ? body["schema"] : body;
  const name = `${operationId.slice(0, 1).toUpperCase()}${operationId.slice(1)}Body`;
  const example = Array.isArray(examples) ? { example: examples[0] } : {};
  const content = { "application/json": { schema: schemas.name(name, schema), ...example } };
  return { requestBody: { required: Array.isArray(schema["required"]), content } };
}

const requestId = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
const renewed = { "Set-Cookie": { $ref: "#/components/headers/SetCookie" } };
const location = { Location: { description: "Where to", required: true, schema: { type: "string" } } };

/** What a route answers when it does not refuse. */
const answersOf = (responses: Json, isGuarded: boolean, schemas: Schemas): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, schema]) => {
      if (!isJson(schema) || "codes" in schema) return [];
      const isRedirect = status.startsWith("3");
      const type = schema["type"] === "string" ? "text/plain" : "application/json";
      const content = isRedirect || schema["const"] === "" ? {} : { content: { [type]: { schema: schemas.write(schema) } } };
      const sent = { ...requestId, ...(isGuarded ? renewed : {}), ...(isRedirect ? location : {}) };
      return [[status, { description: isRedirect ? "Redirected" : "Done", headers: sent, ...content }]];
    }),
  );

/** Adds what the route says of single statuses. What is shared with other routes is written out for that. */
function withDetails(
  responses: Readonly<Record<string, Json>>,
  details: unknown,
  named: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const detailed = { ...responses };
  for (const [status, detail] of Object.entries(isJson(details) ? details : {})) {
    if (!isJson(detail)) continue;
    const { $ref, ...inline } = responses[status] ?? {};
    const shared = typeof $ref === "string" ? (named[$ref.split("/").at(-1) ?? ""] ?? {}) : inline;
    const sent = isJson(shared["headers"]) ? shared["headers"] : requestId;
    detailed[status] = {
      ...shared,
      ...detail,
      description: detail["description"] === "" ? (shared["description"] ?? "") : detail["description"],
      headers: { ...sent, ...(isJson(detail["headers"]) ? detail["headers"] : {}) },
    };
  }
  return detailed;
}
