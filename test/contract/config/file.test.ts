import { expect, test } from "bun:test";
import { join } from "node:path";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";
import { runGatehouse } from "../../support/process.ts";

const folder = sharedFolder();
const path = join(folder, "gatehouse.env");

async function check(text: string, ...args: readonly string[]) {
  await Bun.write(path, text);
  return runGatehouse(["env:check", "--file", "gatehouse.env", ...args], {
    cwd: folder,
    env: { ...testEnvironment(folder), AUTH_ACCESS_TOKEN_TTL: "5m" },
  });
}

test("env:check --file judges the settings of a file over those of the environment, and says which line each is from", async () => {
  const { code, stdout, stderr } = await check("# ours\nAPP_DISPLAY_NAME=Example\nAUTH_ACCESS_TOKEN_TTL=10m\n");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^ {2}APP_DISPLAY_NAME +line 2 of gatehouse\.env$/m);
  expect(stdout).toMatch(/^ {2}AUTH_ACCESS_TOKEN_TTL +line 3 of gatehouse\.env$/m);
  expect(stdout).toMatch(/^ {2}APP_ENV +process environment$/m);
  expect(stdout).not.toContain("Example");
});

test("R-72 env:check --file refuses lines that set nothing together with all else that is wrong, and shows no value", async () => {
  const text = "AUTH_SESSION_TTL = 1h\nMAIL_HOST=\nSTORAGE_UPLOADS_DRIVR=s3cr3t\nAPI_HTTP_PORT=port\nAPP_KEY s3cr3t\n";
  const { code, stdout, stderr } = await check(text);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  for (const said of [
    "line 2 of gatehouse.env: MAIL_HOST is no variable and changes nothing: is MAIL_SMTP_HOST meant?",
    "line 3 of gatehouse.env: STORAGE_UPLOADS_DRIVR is no variable and changes nothing: is STORAGE_UPLOADS_DRIVER meant?",
    "line 5 of gatehouse.env: it has no = and sets nothing",
    "API_HTTP_PORT must be",
  ])
    expect(stderr).toContain(said);
  expect(stderr).toMatch(/line 1 of gatehouse\.env: AUTH_SESSION_TTL has blanks/);
  expect(stderr).not.toContain("s3cr3t");
  expect(stderr.match(/STORAGE_UPLOADS_DRIVR/g)).toHaveLength(1);
  const mended = await check(text.replace("port", "0").replaceAll(/.*s3cr3t\n/g, ""));
  expect(mended.code).toBe(2);
  expect(mended.stderr.match(/line \d+ of/g)).toEqual(["line 2 of", "line 1 of"]);
});

test("R-72 what may be meant is a warning of env:check --file", async () => {
  const { code, stdout } = await check("EXAMPLE_COLOR=red\nMAIL_SMTP_HOST=\nAUTH_SESSION_TTL = 1h\n", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    warnings: [
      "line 1 of gatehouse.env: EXAMPLE_COLOR is no variable of Gatehouse, and changes nothing there",
      "line 2 of gatehouse.env: MAIL_SMTP_HOST is empty, which counts as not set",
      expect.stringContaining("line 3 of gatehouse.env: AUTH_SESSION_TTL has blanks"),
    ],
    variables: expect.arrayContaining([{ name: "AUTH_SESSION_TTL", as: "AUTH_SESSION_TTL", from: "--file", line: 3 }]),
  });
});

test("a file that can't be read is refused by name", async () => {
  const { code, stderr } = await runGatehouse(["env:check", "--file", "absent.env"], {
    cwd: folder,
    env: testEnvironment(folder),
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("absent.env can't be read (ENOENT)") });
});
