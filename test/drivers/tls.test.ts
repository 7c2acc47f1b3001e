import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSmtpMailer, type SmtpConfig } from "../../src/drivers/mail/smtp.ts";
import { createS3Storage } from "../../src/drivers/storage/s3/storage.ts";
import { systemClock } from "../../src/core/clock.ts";
import { makeCertificate, opensslMissing } from "../support/certificate.ts";
import { startMailbox } from "../support/smtp.ts";

// TLS that is spoken to a port without it, and the other way round: what is said names the setting.
const title = opensslMissing === undefined ? "TLS at a plain port" : `TLS at a plain port (needs ${opensslMissing})`;
let folder = "";
let secure: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  if (opensslMissing !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), "gatehouse-tls-"));
  const { certFile, keyFile } = makeCertificate(folder);
  const tls = { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
  secure = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response("") });
});
afterAll(async () => {
  await secure?.stop(true);
  await rm(folder, { recursive: true, force: true });
});

const reasonOf = async (work: Promise<unknown> | undefined): Promise<string> =>
  String(await work?.then(() => "none").catch((error: unknown) => error));

/** What is said of a greeting of a relay. */
async function greeting(smtp: Pick<SmtpConfig["smtp"], "port" | "tls"> & { readonly host?: string }): Promise<string> {
  const config = { from: "Us <us@example.test>", smtp: { host: "127.0.0.1", username: "", password: "", ...smtp } };
  const mailer = createSmtpMailer(config, { timeoutMs: 500 });
  const reason = await reasonOf(mailer.greet?.());
  await mailer.close();
  return reason;
}

describe.skipIf(opensslMissing !== undefined)(title, () => {
  test("a relay: TLS from the first byte, STARTTLS and none, each at a port of another kind", async () => {
    const plain = await startMailbox();
    expect(await greeting({ port: plain.port, tls: "implicit" })).toContain(
      `port ${plain.port} does not begin with TLS: with MAIL_SMTP_TLS=auto TLS is begun by STARTTLS there`,
    );
    // 0.0.0.0 leads to this host, but is no address of the loopback interface, where STARTTLS need not be offered.
    expect(await greeting({ port: plain.port, tls: "auto", host: "0.0.0.0" })).toContain(
      `the relay offers no STARTTLS on port ${plain.port}`,
    );
    await plain.stop();
    for (const tls of ["auto", "off"] as const)
      expect(await greeting({ port: Number(secure.port), tls })).toContain(
        "if TLS begins with the first byte there, set MAIL_SMTP_TLS=implicit",
      );
  });

  test("a storage disk whose endpoint begins with http, and whose server speaks TLS", async () => {
    const disk = createS3Storage({
      name: "uploads",
      prefix: "",
      clock: systemClock,
      bucket: "bucket",
      region: "eu",
      endpoint: new URL(`http://127.0.0.1:${secure.port}`),
      accessKeyId: "key",
      secretAccessKey: "secret",
      patience: { deadlineMs: 500, pauseMs: 1 },
    });
    expect(await reasonOf(disk.ping())).toContain("; a server that speaks TLS wants an endpoint with https://");
    await disk.close();
  });
});
