import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createClient } from "../../support/client.ts";
import { startTarget, type Target } from "../../support/target.ts";

const Operation = Type.Object({
  security: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Array(Type.String())))),
  requestBody: Type.Optional(
    Type.Object({
      content: Type.Record(Type.String(), Type.Object({ schema: Type.Object({ $ref: Type.Optional(Type.String()) }) })),
    }),
  ),
});
const Document = Type.Object({
  components: Type.Object({
    schemas: Type.Record(Type.String(), Type.Unknown()),
    securitySchemes: Type.Record(Type.String(), Type.Unknown()),
  }),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

describe("the OpenAPI document", () => {
  let target: Target;
  let document: Static<typeof Document>;
  beforeAll(async () => {
    target = await startTarget({ env: { API_DOCS_ENABLED: "true" } });
    document = Value.Parse(Document, (await createClient(target.url).get("/openapi/json")).json);
  });
  afterAll(() => target.stop());

  const operation = (method: string, path: string) => document.paths[path]?.[method];

  test("says in JSON what each body holds", () => {
    const taking = ["login", "register", "profile", "change-password", "password-reset/request"]
      .concat(["password-reset/confirm", "email-verification/confirm"])
      .map((path) => operation("post", `/api/v1/auth/${path}`)?.requestBody?.content);
    const schemas = taking.map((content) => {
      expect(Object.keys(content ?? {})).toEqual(["application/json"]);
      const { $ref = "" } = content?.["application/json"]?.schema ?? {};
      return document.components.schemas[$ref.split("/").at(-1) ?? ""];
    });
    for (const schema of schemas) expect(schema).toMatchObject({ type: "object" });
    expect(schemas[1]).toMatchObject({
      required: ["email", "password"],
      properties: { email: { type: "string" }, remember: { type: "boolean" } },
    });
    expect(schemas[0]).toMatchObject({ required: ["login", "password"] });
  });

  test("says who has to be signed in, and by what", () => {
    const session = [{ session: [] }, { bearer: [] }];
    expect(operation("get", "/api/v1/hello")?.security).toEqual(session);
    expect(operation("post", "/api/v1/auth/logout")?.security).toEqual(session);
    expect(operation("post", "/api/v1/auth/change-password")?.security).toEqual(session);
    expect(operation("post", "/api/v1/auth/refresh")?.security).toEqual([{ refresh: [] }, {}]);
    expect(operation("post", "/api/v1/auth/login")?.security).toEqual([]);
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: "apiKey", in: "cookie", name: "auth_access" },
      refresh: { type: "apiKey", in: "cookie", name: "auth_refresh" },
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    });
  });
});
