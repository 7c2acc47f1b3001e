import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packClient } from "../../src/build/npm/client.ts";
import { auth } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { sharedFolder } from "../support/folder.ts";
import { replaceEach } from "../support/proxy.ts";
import { noteSecret } from "../support/seen.ts";
import { startStage, type StartedStage } from "../support/stage.ts";
import { example, nodeMissing } from "./examples.fixture.ts";

// The tests run the native clients of the manual's examples, except for the port of Gatehouse, which is one of this run.
const heading = "A native client";
const folder = sharedFolder();
let staged: StartedStage;
beforeAll(async () => {
  staged = await startStage();
});
afterAll(() => staged.stop());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const here = (source: string): string =>
  replaceEach(source, [["http://127.0.0.1:3000", staged.target.url.replace(/\/$/, "")]]);

async function run(command: readonly string[]) {
  const env = { PATH: process.env["PATH"] };
  const child = Bun.spawn([...command], { cwd: folder, env, stdout: "pipe", stderr: "pipe", timeout: 30_000 });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

const curlMissing = Bun.which("curl") === null ? "curl is not installed" : undefined;
test.skipIf(curlMissing !== undefined)(
  `E-07 curl signs in, calls, refreshes and signs out, and its session is over${curlMissing === undefined ? "" : ` (${curlMissing})`}`,
  async () => {
    const { target, rows } = staged;
    const person = { email: "ada@example.com", password: "a long walk by the sea" };
    await createClient(target.url).post(auth("register"), person);
    const script = `${here(example(heading, "sh"))}\necho; echo "$ACCESS $REFRESH"`;
    const { code, stdout, stderr } = await run(["bash", "-euo", "pipefail", "-c", script]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [me = "", loggedOut] = stdout.split(/(?<=\})(?=\{)|\n/);
    expect(JSON.parse(me)).toMatchObject({ ok: true, user: { email: person.email } });
    expect(loggedOut).toBe('{"ok":true}');
    const [access = "", refresh = ""] = stdout.trim().split("\n").at(-1)?.split(" ") ?? [];
    noteSecret(target.url, access);
    noteSecret(target.url, refresh);
    expect(access).toStartWith("eyJ");
    expect((await createClient(target.url).get(auth("me"), bearer(access))).status).toBe(401);
    expect((await createClient(target.url).post(auth("refresh"), { refresh_token: refresh })).status).toBe(401);
    expect(
      rows.count(
        "auth_sessions where revoked_at is null and user_id in (select id from users where email = ?)",
        person.email,
      ),
    ).toBe(1);
  },
);

describe.skipIf(nodeMissing !== undefined)(`in Node${nodeMissing === undefined ? "" : ` (${nodeMissing})`}`, () => {
  beforeAll(async () => {
    await packClient(join(folder, "client"), manifest.version);
    await cp(join(folder, "client"), join(folder, "node_modules", "gatehouse-client"), { recursive: true });
    await writeFile(join(folder, "native.mjs"), here(example(heading, "js")));
  });
  const native = (...args: string[]) => run(["node", "native.mjs", ...args]);

  test("E-07 signs in once, goes on by itself when the access token has run out, and keeps its file to its owner", async () => {
    const { people, rows } = staged;
    expect((await native()).stdout).toBe("unauthorized\n");
    const ada = await people.register("ada");
    expect((await native(ada.email, "wrong")).stdout).toBe("false\nunauthorized\n");
    expect(await native(ada.email, ada.password)).toEqual({
      code: 0,
      stdout: `true\nHello, ${ada.username}!\n`,
      stderr: "",
    });
    const file = join(folder, "session.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await native()).stdout).toBe(`Hello, ${ada.username}!\n`);
    // An access token that is refused is refreshed, and the file has the new ones.
    const kept = await Bun.file(file).text();
    await writeFile(file, kept.replace(/("access_token":")[^"]*/, "$1x"));
    expect((await native()).stdout).toBe(`Hello, ${ada.username}!\n`);
    expect(await Bun.file(file).text()).not.toBe(kept);
    // An older copy of the file is a thief's, and ends the session.
    rows.run("update auth_sessions set rotated_at = rotated_at - 60000 where user_id = ?", ada.id);
    await writeFile(file, kept.replace(/("access_token":")[^"]*/, "$1x"));
    expect((await native()).stdout).toBe("unauthorized\n");
    const live = "auth_sessions where remembered = 1 and revoked_at is null and user_id = ?";
    expect(rows.count(live, ada.id)).toBe(0);
  });
});
