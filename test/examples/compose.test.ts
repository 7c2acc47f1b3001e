import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { variables } from "../../src/config/index.ts";
import { createClient } from "../support/client.ts";
import { postgresMissing, startPostgres } from "../support/postgres.ts";
import { commandLine } from "../support/process.ts";
import { freePort, listens } from "../support/proxy.ts";
import { startMailbox } from "../support/smtp.ts";

const Service = Type.Object({
  image: Type.String(),
  environment: Type.Optional(Type.Record(Type.String(), Type.String())),
  command: Type.Optional(Type.Array(Type.String())),
  depends_on: Type.Optional(Type.Record(Type.String(), Type.Object({ condition: Type.String() }))),
});
const Compose = Type.Object({ services: Type.Record(Type.String(), Service) });
const path = join(import.meta.dir, "../../src/kits/example/compose.yaml");
const { services } = Value.Parse(Compose, Bun.YAML.parse(await Bun.file(path).text()));
const { gatehouse, migrate, postgres } = services;

describe("compose.yaml", () => {
  test("sets what Gatehouse knows alone, in the image of this version, and waits for what it names", () => {
    const known = new Set(variables.map(({ name }) => name));
    expect(Object.keys(gatehouse?.environment ?? {}).filter((name) => !known.has(name))).toEqual([]);
    expect(gatehouse?.image).toBe(`localhost/gatehouse:${manifest.version}`);
    expect(migrate).toMatchObject({ image: gatehouse?.image, environment: gatehouse?.environment });
    const waits = Object.values(services).flatMap((service) => Object.keys(service.depends_on ?? {}));
    expect(waits.filter((name) => !(name in services))).toEqual([]);
  });

  test("has the database and the mail server that its settings name", () => {
    const { DB_URL = "", MAIL_SMTP_HOST = "" } = gatehouse?.environment ?? {};
    const url = new URL(DB_URL);
    expect(services).toHaveProperty(url.hostname);
    expect(services).toHaveProperty(MAIL_SMTP_HOST);
    expect(postgres?.environment).toEqual({
      POSTGRES_USER: url.username,
      POSTGRES_PASSWORD: url.password,
      POSTGRES_DB: url.pathname.slice(1),
    });
  });

  test.skipIf(postgresMissing !== undefined)(
    `starts with exactly these settings, but for hosts and ports: an account is made, and its mail is caught${postgresMissing === undefined ? "" : ` (skipped: ${postgresMissing})`}`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "gatehouse-compose-"));
      const [server, mailbox] = [await startPostgres(), await startMailbox()];
      const { url } = await server.createDatabase();
      const port = freePort();
      const placed = { DB_URL: url, MAIL_SMTP_HOST: "127.0.0.1", MAIL_SMTP_PORT: String(mailbox.port) };
      const env = {
        PATH: process.env["PATH"] ?? "",
        ...gatehouse?.environment,
        ...placed,
        API_HTTP_HOST: "127.0.0.1",
        API_HTTP_PORT: String(port),
      };
      const run = (args: readonly string[]) =>
        Bun.spawn([...commandLine("app"), ...args], { cwd: folder, env, stdout: "ignore", stderr: "pipe" });
      try {
        const migrated = run(migrate?.command ?? []);
        expect({ code: await migrated.exited, said: await migrated.stderr.text() }).toMatchObject({ code: 0 });
        const running = run(gatehouse?.command ?? []);
        try {
          const deadline = performance.now() + 60_000;
          while (!(await listens(port)) && performance.now() < deadline) await Bun.sleep(20);
          const client = createClient(`http://127.0.0.1:${port}`);
          const body = { email: "ada@example.test", password: "a long walk by the sea" };
          expect((await client.post("/api/v1/auth/register", body)).status).toBe(200);
          await client.post("/api/v1/auth/email-verification/request");
          const mail = await mailbox.next("ada@example.test");
          expect(mail.text).toContain("http://127.0.0.1:3000/verify-email?token=");
        } finally {
          running.kill("SIGTERM");
          await running.exited;
        }
      } finally {
        await server.stop();
        await mailbox.stop();
        await rm(folder, { recursive: true, force: true });
      }
    },
    180_000,
  );
});
