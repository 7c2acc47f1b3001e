import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { rename, writeFile } from "node:fs/promises";
import { packClient } from "../../src/build/npm/client.ts";
import { serviceKit } from "../contract/backend/service.fixture.ts";
import { auth, isServed, nextMail } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { sharedFolder } from "../support/folder.ts";
import { replaceEach } from "../support/proxy.ts";
import { stage } from "../support/stage.ts";
import { example, nodeMissing } from "./examples.fixture.ts";

// The tests run the backends of the manual's example as they are printed, except for the port.
const heading = "A backend that looks after users";
const { target, rows, people, mailbox } = await stage({ env: { AUTH_LOGIN_LOCKOUT_ATTEMPTS: "3" } });
const kit = serviceKit(target);
const folder = sharedFolder();

async function place(language: string, name: string): Promise<void> {
  const source = replaceEach(example(heading, language), [["127.0.0.1:3000", `127.0.0.1:${target.port}`]]);
  await writeFile(join(folder, name), source);
}

async function run(command: readonly string[], secret: string) {
  const env = { PATH: process.env["PATH"] ?? "", GATEHOUSE_SECRET: secret };
  const child = Bun.spawn([...command], {
    cwd: folder,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, lines: stdout.trimEnd().split("\n").toSorted(), stderr };
}

describe.skipIf(nodeMissing !== undefined)(`in Node${nodeMissing === undefined ? "" : ` (${nodeMissing})`}`, () => {
  beforeAll(async () => {
    await packClient(join(folder, "client"), "1.2.3");
    await Bun.write(join(folder, "node_modules", ".keep"), "");
    await rename(join(folder, "client"), join(folder, "node_modules", "gatehouse-client"));
    await place("js", "staff.mjs");
  });
  const sync = async (secret: string, ...staff: readonly string[]) => {
    await writeFile(join(folder, "staff.txt"), staff.map((email) => `${email}\n`).join(""));
    return run(["node", "staff.mjs", "staff.txt"], secret);
  };

  test("V-29 newcomers get an account and a mail, whoever has left is out, whoever comes back is in, and admins stay", async () => {
    const secret = await kit.create("staff-list", "users:read,users:write");
    const [ada, grace, boss] = [
      await people.register("ada"),
      await people.register("grace"),
      await people.register("boss"),
    ];
    rows.run("update users set roles = 'admin' where id = ?", boss.id);
    const newcomer = "newcomer@example.test";
    expect(await sync(secret, ada.email.toUpperCase(), newcomer)).toEqual({
      code: 0,
      lines: [`created ${newcomer}`, `disabled ${grace.email}`],
      stderr: "",
    });
    expect([await isServed(ada.client), await isServed(grace.client), await isServed(boss.client)]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await nextMail(mailbox, newcomer, "Choose your first password")).text).toContain("token=");
    expect(await sync(secret, ada.email, newcomer)).toEqual({ code: 0, lines: [""], stderr: "" });
    expect((await sync(secret, ada.email, newcomer, grace.email)).lines).toEqual([`enabled ${grace.email}`]);
  });

  test("V-29 a list that is empty, or a secret that is none, changes nothing", async () => {
    const ada = await people.register("ada");
    const empty = await sync(await kit.create("empty-list", "users:read,users:write"));
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining("would disable everybody") });
    const refused = await sync(`gh_${"A".repeat(43)}`, "nobody@example.test");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("unauthorized") });
    expect(await isServed(ada.client)).toBe(true);
  });
});

const pythonMissing = Bun.which("python3") === null ? "python3 is not installed" : undefined;
test.skipIf(pythonMissing !== undefined)(
  `V-29 in Python, why a person can't sign in${pythonMissing === undefined ? "" : ` (${pythonMissing})`}`,
  async () => {
    await place("python", "why.py");
    const secret = await kit.create("support-desk", "users:read");
    const ada = await people.register("ada");
    const why = () => run(["python3", "why.py", ada.email], secret);
    expect(await why()).toEqual({ code: 0, lines: ["  nothing is in the way", ada.email].toSorted(), stderr: "" });
    for (let count = 0; count < 3; count += 1)
      await createClient(target.url).post(auth("login"), { login: ada.email, password: "a wrong guess" });
    expect((await why()).lines[0]).toMatch(/^ {2}locked until \S+Z after 3 wrong passwords/);
    expect(await run(["python3", "why.py", "nobody at all"], secret)).toMatchObject({
      code: 1,
      stderr: "nobody is called that\n",
    });
  },
);
