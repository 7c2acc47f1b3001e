import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGatehouse } from "../../support/process.ts";

const folders: string[] = [];
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-undeclared-"));
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const hints = [
  ["an address that others reach", { APP_URL: "https://auth.example.test" }, "APP_URL is not an address of this host"],
  ["credentials of systemd", { CREDENTIALS_DIRECTORY: "/run/credentials/x" }, "CREDENTIALS_DIRECTORY is set"],
  ["a unit of systemd", { INVOCATION_ID: "0123456789abcdef0123456789abcdef" }, "INVOCATION_ID is set"],
  ["a slip of its name", { APP_EVN: "production" }, "APP_EVN looks like a slip of it"],
] as const;

describe("X-31 without APP_ENV, what is no local start is refused with code 2 and leaves nothing behind", () => {
  test.each(hints)("%s", async (_, env, reason) => {
    for (const args of [["api"], ["env:check"], ["migrate"], []]) {
      const cwd = await emptyFolder();
      const { code, stdout, stderr } = await runGatehouse(args, { cwd, env: { API_HTTP_PORT: "0", ...env } });
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
      expect(stderr).toContain(`APP_ENV is not set, and this is no local start: ${reason}`);
      expect(await readdir(cwd)).toEqual([]);
    }
  });

  test("all reasons are told at once, and the start is local where APP_ENV says so", async () => {
    const cwd = await emptyFolder();
    const env: Record<string, string> = {};
    for (const [, each] of hints) Object.assign(env, each);
    const { stderr } = await runGatehouse(["env:check"], { cwd, env });
    for (const [, , reason] of hints) expect(stderr).toContain(reason);
    for (const declared of [{ APP_ENV: "local" }, { APP_APP_ENV: "local" }]) {
      const checked = await runGatehouse(["env:check"], { cwd, env: { ...env, ...declared } });
      expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("is valid for app in local") });
    }
  });
});
