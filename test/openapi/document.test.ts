import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providerOn } from "../contract/idp/idp.fixture.ts";
import { createClient } from "../support/client.ts";
import { pythonMissing, pythonPackages } from "../support/python.ts";
import { startTarget, type Target } from "../support/target.ts";
import { documented, documentsOf, operationsOf, type NamedDocument } from "./documents.ts";

const Refusal = Type.Object({
  allOf: Type.Tuple([
    Type.Object({ $ref: Type.String() }),
    Type.Object({ properties: Type.Object({ code: Type.Object({ enum: Type.Array(Type.String()) }) }) }),
  ]),
});

const apps = ["app", "admin"] as const;
const root = join(import.meta.dir, "..", "..");
const makingPython = 5 * 60_000;

const targets: Record<string, Target> = {};
const documents: NamedDocument[] = [];
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-openapi-"));
  for (const app of apps) {
    const settings = Object.fromEntries(
      Object.entries(documented).map(([name, value]) => [`${app === "admin" ? "ADMIN_" : ""}${name}`, value]),
    );
    // With them, every route that is described is there.
    const env = { ...settings, AUTH_PERSONAL_TOKENS_ENABLED: "true", ORGANIZATIONS_ENABLED: "true", ...providerOn };
    const target = await startTarget({ app, env, shared: true });
    targets[app] = target;
    documents.push(...(await documentsOf(app, target)));
  }
  for (const { name, text } of documents) await Bun.write(fileOf(name), text);
});
afterAll(async () => {
  for (const target of Object.values(targets)) await target.stop();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = (name: string): string => join(folder, `${name.replace(" ", ".")}.json`);
const all = () =>
  documents.flatMap(({ app, name, document }) =>
    operationsOf(document).map((found) => ({ app, name, document, ...found })),
  );

describe("every operation", () => {
  test("has an id of its own in camelCase, a summary and a group that is described", () => {
    for (const { name, document } of documents) {
      const operations = operationsOf(document);
      const ids = operations.map(({ operation }) => operation.operationId);
      expect(ids.filter((id) => !/^[a-z][a-zA-Z]+$/.test(id))).toEqual([]);
      expect({ name, ids: ids.toSorted() }).toEqual({ name, ids: [...new Set(ids)].toSorted() });
      expect(operations.filter(({ operation }) => operation.summary === "").map(({ path }) => path)).toEqual([]);
      const described = document.tags.filter(({ description }) => description !== "").map((tag) => tag.name);
      expect(operations.flatMap(({ operation }) => operation.tags).filter((tag) => !described.includes(tag))).toEqual(
        [],
      );
      expect(operations.filter(({ operation }) => operation.tags.length !== 1).map(({ path }) => path)).toEqual([]);
    }
  });

  test("X-61 says truly whether somebody has to be signed in: 401 to strangers where it says so, and nowhere else", async () => {
    const wrong: string[] = [];
    for (const { app, path, method, operation } of all()) {
      const { security, requestBody } = operation;
      // A request that needs no credentials may need something else, such as a refresh its token in the body.
      if (security.some((way) => Object.keys(way).length === 0)) continue;
      const isOpen = security.length === 0;
      const sent = requestBody?.content["application/json"]?.example;
      const url = path.replaceAll(/\{[^}]+\}/g, "github");
      const answer = await createClient(targets[app]?.url ?? "").request(method.toUpperCase(), url, sent);
      const isStranger = answer.status === 401 && answer.at("code") === "unauthorized";
      // A provider that is not configured is absent to everybody.
      const isAbsent = answer.status === 404 && path.includes("{provider}");
      if (isStranger === isOpen && !isAbsent) wrong.push(`${method} ${path}: ${answer.status}`);
    }
    expect(wrong).toEqual([]);
  });

  test("refuses in the one shape, with a closed set of codes for each status", () => {
    for (const { document, operation, path } of all()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        // The runtime alone refuses with it.
        if (JSON.stringify(response).includes("responses/Unread")) continue;
        if (Number(status) < 400 || path === "/-/ready" || path === "/metrics") continue;
        const name = /"#\/components\/(?:responses|schemas)\/(\w+)"/.exec(JSON.stringify(response))?.[1] ?? "";
        const { allOf } = Value.Parse(Refusal, document.components.schemas[name]);
        expect(allOf[0].$ref).toBe("#/components/schemas/Error");
        expect(allOf[1].properties.code.enum.length).toBeGreaterThan(0);
      }
    }
  });

  test("is one that the app has, and every one that it has and does not hide is there", () => {
    const ids = all().map(({ app, operation }) => `${app} ${operation.operationId}`);
    expect(ids).toContain("admin getHealth");
    expect(ids).toContain("app completeProviderLogin");
    expect(ids).toContain("app listInspects");
    const paths = documents.filter(({ name }) => name === "app").flatMap(({ document }) => Object.keys(document.paths));
    expect(paths.filter((path) => /^\/(?:openapi|lighthouse|-\/maintenance)/.test(path))).toEqual([]);
  });
});

test("every body has an example or only optional fields, and names what it needs", () => {
  const bodies = documents
    .flatMap(({ document }) => Object.entries(document.components.schemas))
    .filter(([name]) => name.endsWith("Body"));
  expect(bodies.length).toBeGreaterThan(10);
  const schemas = Object.fromEntries(bodies);
  expect(schemas["LoginBody"]).toMatchObject({ required: ["login", "password"] });
  expect(schemas["RegisterBody"]).toMatchObject({
    required: ["email", "password"],
    properties: { email: { format: "idn-email" }, password: { minLength: 8 } },
  });
  expect(schemas["UpdateProfileBody"]).not.toHaveProperty("required");
});

describe("a validator finds no fault", () => {
  test("redocly", async () => {
    const lint = Bun.spawn(
      [
        process.execPath,
        "--bun",
        join(root, "node_modules/@redocly/cli/bin/cli.js"),
        "lint",
        "--config",
        join(import.meta.dir, "redocly.yaml"),
        "--format",
        "json",
        ...documents.map(({ name }) => fileOf(name)),
      ],
      {
        cwd: folder,
        env: {
          PATH: process.env["PATH"] ?? "",
          REDOCLY_TELEMETRY: "off",
          REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
          CI: "true",
        },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [found, said] = await Promise.all([lint.stdout.text(), lint.stderr.text()]);
    expect({ code: await lint.exited, found, said: said.includes("error") ? said : "" }).toMatchObject({
      code: 0,
      found: expect.stringContaining('"errors": 0,\n    "warnings": 0'),
    });
  }, 120_000);

  test.skipIf(pythonMissing !== undefined)(
    `openapi-spec-validator${pythonMissing === undefined ? "" : ` (skipped: ${pythonMissing})`}`,
    async () => {
      const python = await pythonPackages();
      const files = documents.map(({ name }) => fileOf(name));
      const { code, stdout, stderr } = await python.run("openapi-spec-validator", ["--schema", "3.1", ...files], {
        cwd: folder,
      });
      expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    },
    makingPython,
  );
});
