import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { AppName } from "../../src/config/index.ts";
import { createClient } from "../support/client.ts";
import type { Target } from "../support/target.ts";

const Operation = Type.Object({
  operationId: Type.String(),
  summary: Type.String(),
  tags: Type.Array(Type.String()),
  security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
  requestBody: Type.Optional(
    Type.Object({
      required: Type.Optional(Type.Boolean()),
      content: Type.Record(Type.String(), Type.Object({ example: Type.Optional(Type.Unknown()) })),
    }),
  ),
  responses: Type.Record(Type.String(), Type.Unknown()),
});
const OpenAPIDocument = Type.Object({
  tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
  components: Type.Object({
    schemas: Type.Record(Type.String(), Type.Unknown()),
    responses: Type.Record(Type.String(), Type.Unknown()),
    securitySchemes: Type.Record(Type.String(), Type.Unknown()),
  }),
});
export type OpenAPIDocument = Static<typeof OpenAPIDocument>;
export type Operation = Static<typeof Operation>;

const lighthouseSecret = "a lighthouse secret that nobody guesses";
export const documented = { API_DOCS_ENABLED: "true", LIGHTHOUSE_SECRET: lighthouseSecret };

export interface NamedDocument {
  readonly app: AppName;
  readonly name: string;
  readonly document: OpenAPIDocument;
  /** The text of the document as it was sent. */
  readonly text: string;
}

/** Returns the documents that an app serves: of its API, and of Lighthouse's. */
export async function documentsOf(app: AppName, target: Target): Promise<NamedDocument[]> {
  const client = createClient(target.url);
  const headers = { authorization: `Bearer ${lighthouseSecret}` };
  const answers = [
    { name: app, ...(await client.get("/openapi/json")) },
    { name: `${app} lighthouse`, ...(await client.get("/lighthouse/api/openapi.json", { headers })) },
  ];
  return answers.map(({ name, text, json }) => ({ app, name, text, document: Value.Parse(OpenAPIDocument, json) }));
}

/** Returns every operation of a document. */
export const operationsOf = ({ paths }: OpenAPIDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
