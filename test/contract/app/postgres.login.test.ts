import { SQL } from "bun";
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, calm, createPeople, hour, refreshes } from "../../support/auth.ts";
import { makeCertificate, opensslMissing } from "../../support/certificate.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { faketimeMissing, settableClock } from "../../support/faketime.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { bearerOf } from "../../support/maintenance.ts";
import { type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { runGatehouse } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

const limitMs = 120_000;
const folder = folderOfEachTest();
endTargetsAfterEach();

const missing = postgresMissing ?? opensslMissing;

describe.skipIf(missing !== undefined)(`a PostgreSQL server of others (${missing ?? "real"})`, () => {
  let server: Postgres | undefined;
  afterEach(() => server?.stop());

  /** Starts a server with TLS whose certificate is for `localhost`, with a user of its own for the service. */
  async function serverOf() {
    const { certFile, keyFile } = makeCertificate(folder());
    const [certificate, key] = await Promise.all([certFile, keyFile].map((path) => Bun.file(path).text()));
    server = await startPostgres({
      auth: "scram-sha-256",
      tls: { certificate: certificate ?? "", key: key ?? "" },
      access: ["hostnossl all service all reject"],
    });
    const { url } = await server.createDatabase({ name: "accounts" });
    const admin = new SQL(url, { max: 1 });
    await admin.unsafe("create user service password 'first-password'; grant all on schema public to service").simple();
    const env = (password: string, query: string, host = "localhost") => ({
      ...testEnvironment(folder()),
      ...calm,
      DB_DRIVER: "postgres",
      DB_DATABASE: "",
      DB_URL: `postgres://service:${password}@${host}:${server?.port}/accounts?${query}`,
    });
    return { admin, env, trusted: `sslmode=verify-full&sslrootcert=${certFile}` };
  }

  test(
    "D-05 nothing starts where TLS or the login is refused, and each says what is wrong",
    async () => {
      const { admin, env, trusted } = await serverOf();
      const whys = [
        [env("first-password", "sslmode=disable"), "the server lets this user or address not in, or only over TLS"],
        [env("first-password", "sslmode=verify-full"), "is of an authority that is not trusted: name the file"],
        [env("first-password", trusted, "127.0.0.1"), "its certificate is for another host than DB_URL names"],
        [env("other-password", trusted), "the user or the password was refused (28P01)"],
      ] as const;
      for (const [settings, why] of whys) {
        for (const command of ["migrate", "api"]) {
          const { code, stdout, stderr } = await runGatehouse([command], { cwd: folder(), env: settings });
          expect({ command, code }).toEqual({ command, code: 1 });
          expect(`${stdout}${stderr}`).toContain(why);
          expect(`${stdout}${stderr}`).not.toContain("-password");
        }
      }
      const { code } = await runGatehouse(["migrate"], { cwd: folder(), env: env("first-password", trusted) });
      expect(code).toBe(0);
      await admin.close();
    },
    limitMs,
  );

  test(
    "D-04 a password that is changed while it runs ends nothing, is told once connections are lost, and the next start has the new one",
    async () => {
      const { admin, env, trusted } = await serverOf();
      const start = (password: string, migrate: boolean): Promise<Target> =>
        startTarget({ env: env(password, trusted), roles: ["http"], ownProcess: true, migrate });
      const before = await start("first-password", true);
      const ada = await createPeople(before.url).register("ada");
      await admin.unsafe("alter user service password 'second-password'");
      expect(await refreshes(ada.client)).toBe(true);

      await admin.unsafe("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service'");
      const readiness = () => createClient(before.url).get("/-/ready", { headers: bearerOf(before) });
      await eventually("readiness to say so", async () =>
        (await readiness()).text.includes("the user or the password was refused (28P01)"),
      );
      expect((await readiness()).status).toBe(503);
      expect((await ada.client.copy().get(auth("me"))).status).toBe(503);

      const after = await start("second-password", false);
      const browser = createClient(after.url);
      expect((await browser.post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
      for (const target of [before, after]) {
        expect(target.logs()).not.toMatch(/(?:first|second)-password/);
        await target.stop();
      }
      await admin.close();
    },
    limitMs,
  );

  test.skipIf(faketimeMissing !== undefined)(
    "D-05 a certificate that has expired is told as that",
    async () => {
      const { admin, env, trusted } = await serverOf();
      const clock = await settableClock(join(folder(), "clock"), 3 * 24 * hour);
      const settings = { cwd: folder(), env: env("first-password", trusted), within: clock.within };
      const { code, stderr } = await runGatehouse(["migrate"], settings);
      expect(code).toBe(1);
      expect(stderr).toContain("its certificate has expired");
      await admin.close();
    },
    limitMs,
  );
});
