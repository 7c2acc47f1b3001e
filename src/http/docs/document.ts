import type { DescribedRoute } from "../../core/module.ts";
import { createRefusals } from "./refusals.ts";
import { createSchemas, isJson, jsonOf, listOf, type Json, type Schemas } from "./schema.ts";
import { groupsInWords } from "./operation.ts";

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly routes: readonly DescribedRoute[];
  /** The ways to be signed in; the `security` of a route refers to them by name. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** What the settings of the deployment add to schemas. */
  readonly settings?: Readonly<Record<string, Json>>;
}

const headers = {
  RequestId: {
    description: "The name of the request in the log: the one that was sent, where it was well-formed",
    required: true,
    schema: { type: "string" },
  },
  RequestIdOfRead: {
    description: "The same; absent where the request could not be read",
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

/** Returns the OpenAPI 3.1 document of all routes that are not hidden. */
export function createDocument(options: DocumentOptions): object {
  const { title, description, version, routes, securitySchemes, settings } = options;
  const schemas = createSchemas(settings);
  const refusals = createRefusals(schemas);
  const paths: Record<string, Record<string, Json>> = {};
  const usedTags = new Set<string>();
  const usedSchemes = new Set<string>();

  function describe({ method, path, hooks }: DescribedRoute): void {
    const route = jsonOf(hooks);
    const { hide, operationId = "", security = [], tags: groups = [], responses, ...detail } = jsonOf(route["detail"]);
    if (hide === true) return;
    const id = String(operationId);
    // A route is not guarded where one of its ways demands nothing: such a route itself decides whether to refuse strangers.
    const isGuarded =
      listOf(security).length > 0 && listOf(security).every((way) => Object.keys(jsonOf(way)).length > 0);
    const own = jsonOf(route["response"]);
    const refused = refusals.of(id, { method, path, isGuarded }, own);
    const answers = { ...answersOf(own, isGuarded, schemas), ...refused };
    for (const group of listOf(groups)) usedTags.add(String(group));
    for (const way of listOf(security)) for (const scheme of Object.keys(jsonOf(way))) usedSchemes.add(scheme);
    const pattern = path.replaceAll(/:([^/]+)/g, "{$1}");
    paths[pattern] = {
      ...paths[pattern],
      [method.toLowerCase()]: {
        operationId: id,
        tags: groups,
        ...detail,
        security,
        ...parametersOf(route, detail, schemas),
        ...bodyOf(route, detail, id, schemas),
        responses: withDetails(answers, jsonOf(responses), refusals.named),
      },
    };
  }

  for (const route of routes.toSorted((a, b) => (a.path < b.path ? -1 : 1))) describe(route);
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: [...usedTags].toSorted().map((name) => ({ name, description: groupsInWords[name] ?? "" })),
    paths,
    components: {
      schemas: schemas.named,
      responses: refusals.named,
      headers,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => usedSchemes.has(name))),
    },
  };
}

function parametersOf(route: Json, detail: Json, schemas: Schemas): Json {
  const parameters = (["params", "query"] as const).flatMap((place) => {
    const { properties, required } = jsonOf(schemas.write(route[place] ?? {}));
    return Object.entries(jsonOf(properties)).map(([name, property]) => {
      const { description, ...schema } = jsonOf(property);
      return {
        name,
        in: place === "params" ? "path" : "query",
        required: listOf(required).includes(name),
        ...(description === undefined ? {} : { description }),
        schema,
      };
    });
  });
  const all = [...parameters, ...listOf(detail["parameters"])];
  return all.length === 0 ? {} : { parameters: all };
}

/** Describes the body of a route. A body is required where one of its fields is. */
function bodyOf({ body }: Json, detail: Json, operationId: string, schemas: Schemas): Json {
  if (!isJson(body)) return {};
  const { examples, ...schema } = jsonOf(body["schema"] ?? body);
  const name = `${operationId.slice(0, 1).toUpperCase()}${operationId.slice(1)}Body`;
  const example = examples === undefined ? {} : { example: listOf(examples)[0] };
  const sent = { schema: schemas.name(name, schema), ...example };
  // The route also takes a form of the same fields where its `requestBody` says so.
  const types = ["application/json", ...Object.keys(jsonOf(jsonOf(detail["requestBody"])["content"]))];
  const content = Object.fromEntries(types.map((type) => [type, sent]));
  return { requestBody: { required: listOf(schema["required"]).length > 0, content } };
}

const requestId = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
const renewed = { "Set-Cookie": { $ref: "#/components/headers/SetCookie" } };
const location = { Location: { description: "Where to", required: true, schema: { type: "string" } } };

/** Returns the answers of a route apart from its refusals. */
const answersOf = (responses: Json, isGuarded: boolean, schemas: Schemas): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, schema]) => {
      if (!isJson(schema) || "codes" in schema) return [];
      const isRedirect = status.startsWith("3");
      const type = schema["type"] === "string" ? "text/plain" : "application/json";
      const content =
        isRedirect || schema["const"] === "" ? {} : { content: { [type]: { schema: schemas.write(schema) } } };
      const sent = { ...requestId, ...(isGuarded ? renewed : {}), ...(isRedirect ? location : {}) };
      return [[status, { description: isRedirect ? "Redirected" : "Done", headers: sent, ...content }]];
    }),
  );

/** Adds the route's own words about single statuses. A response that routes share is written out in full for that. */
function withDetails(
  responses: Readonly<Record<string, Json>>,
  details: Json,
  named: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const detailed = { ...responses };
  for (const [status, detail] of Object.entries(details)) {
    const { description, headers: added } = jsonOf(detail);
    const { $ref, ...inline } = responses[status] ?? { headers: requestId };
    const shared = typeof $ref === "string" ? (named[$ref.split("/").at(-1) ?? ""] ?? {}) : inline;
    detailed[status] = {
      ...shared,
      description: description === "" ? (shared["description"] ?? "Done") : description,
      headers: { ...jsonOf(shared["headers"]), ...jsonOf(added) },
    };
  }
  return detailed;
}
