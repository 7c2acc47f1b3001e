import { describe, expect, test } from "bun:test";
import { build } from "../../../src/cli/build.info.ts";
import { runCli } from "../../../src/cli/index.ts";
import { auth, isServed, mailedToken, nextMail, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { definitions } from "../../support/definitions.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { office } from "../../support/office.ts";
import { setUpTotp } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const { target, rows, people, mailbox } = await stage({ env: { AUTH_LOGIN_LOCKOUT_ATTEMPTS: "3" } });
const audit = readAudit(rows);
const { accounts } = await office(target);
const run = (...args: string[]): Promise<CommandResult> =>
  runGatehouse(args, { cwd: target.folder, env: target.env, stdin: "" });
/** Sends three wrong passwords, and waits for the rows of the audit log, which are written after the answers. */
async function lock({ id, email }: Person): Promise<void> {
  for (let count = 0; count < 3; count += 1)
    await createClient(target.url).post(auth("login"), { login: email, password: "a wrong guess" });
  await audit.about(id, 1, "auth.locked");
}
const linesOf = ({ stdout }: CommandResult): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ ...Object(JSON.parse(line)) }));
const unknownAccount =
  "no such account\n  user:list --search finds accounts by the beginning of a name or an address\n";
const isNarrow = ({ stdout }: CommandResult): boolean =>
  stdout.split("\n").every((line) => Bun.stringWidth(line) <= 80);

describe("user:list", () => {
  test("finds people by name, state and role; as a table with names that fits 80 columns, and as NDJSON", async () => {
    const [one, two] = [await people.register("quill"), await people.register("quill")];
    const long = await people.register("quill", { username: `quill-${"x".repeat(50)}` });
    await run("user:disable", two.username);
    rows.run("update users set roles = 'admin editor' where id = ?", one.id);
    await lock(long);
    const table = await run("user:list", "--search", "quill");
    expect(table).toMatchObject({ code: 0, stderr: "" });
    expect(isNarrow(table)).toBe(true);
    expect(table.stdout).toStartWith("ADDRESS");
    expect(table.stdout).toMatch(/disabled/);
    expect(table.stdout).toMatch(/locked until \d\d:\d\d/);
    expect(table.stdout).not.toContain(one.id);
    const all = linesOf(await run("user:list", "--search", "quill", "--json"));
    expect(all.map(({ id }) => id).toSorted()).toEqual([one.id, two.id, long.id].toSorted());
    expect(all.find(({ id }) => id === one.id)).toMatchObject({
      email: one.email,
      roles: ["admin", "editor"],
      active: true,
    });
    const ids = async (...args: string[]) => linesOf(await run("user:list", "--json", ...args)).map(({ id }) => id);
    expect(await ids("--disabled")).toEqual([two.id]);
    expect(await ids("--locked")).toEqual([long.id]);
    expect(await ids("--role", "editor")).toEqual([one.id]);
    const some = await run("user:list", "--search", "quill", "--limit", "2");
    expect(some.stderr).toBe("the first 2, there may be more: see --limit\n");
    expect(await run("user:list", "--search", "nobody at all")).toMatchObject({ code: 0, stdout: "no accounts\n" });
  });

  test("what it does not understand is wrong usage", async () => {
    for (const args of [
      ["--disabled", "--locked"],
      ["--role", "Admin"],
      ["--limit", "0"],
      ["--limit", "10001"],
    ])
      expect({ args, code: (await run("user:list", ...args)).code }).toEqual({ args, code: 2 });
  });
});

describe("user:show", () => {
  test("says why a person can't sign in and until when, with sessions, mails and events, by name, address or id", async () => {
    const ada = await people.register("ada");
    expect((await run("user:show", ada.username)).stdout).toContain("nothing is in the way");
    await lock(ada);
    for (const login of [ada.username, ada.email, ada.id]) {
      const shown = await run("user:show", login);
      expect(shown).toMatchObject({ code: 0, stderr: "" });
      expect(isNarrow(shown)).toBe(true);
      expect(shown.stdout.replaceAll(/\s+/g, " ")).toMatch(
        /locked until \d{4}-\d\d-\d\d [\d:]{8} after 3 wrong passwords/,
      );
      expect(shown.stdout).toContain("auth.login-failed");
    }
    const [person = {}] = linesOf(await run("user:show", ada.id, "--json"));
    expect(person).toMatchObject({ id: ada.id, has_password: true, standing: [{ why: "locked", failures: 3 }] });
    expect(person["sessions"]).toMatchObject([{ live: true, ip_address: "127.0.0.1" }]);
    expect(await run("user:show", "nobody")).toEqual({ code: 1, stdout: "", stderr: unknownAccount });
  });

  test("says which of the staff did something", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    rows.run("update users set roles = 'admin' where id = ?", grace.id);
    const origin = { address: "192.0.2.7", userAgent: "a browser", requestId: "a-request" };
    await accounts.verify(ada.id, { actor: "staff", userId: grace.id, role: "admin", origin });
    const shown = await run("user:show", ada.id);
    expect(isNarrow(shown)).toBe(true);
    expect(shown.stdout.replaceAll(/\s+/g, " ")).toContain(`auth.email-verified vouched_for staff ${grace.username}`);
  });
});

describe("changes", () => {
  test("disable, enable, unlock, verify and send-reset do what they say, once, and are in the audit log", async () => {
    const ada = await people.register("ada");
    await lock(ada);
    expect((await run("user:unlock", ada.email)).stdout).toStartWith("unlocked");
    expect((await run("user:unlock", ada.email, "--json")).stdout).toBe(`{"id":"${ada.id}","changed":false}\n`);
    await ada.login();
    expect((await run("user:verify", ada.username)).stdout).toBe("the address counts as proven\n");
    expect((await run("user:disable", ada.id)).stdout).toBe("disabled, every session ended\n");
    expect(await isServed(ada.client)).toBe(false);
    expect(await run("user:disable", ada.id)).toMatchObject({ code: 0, stdout: "was disabled already\n" });
    expect(await run("user:send-reset", ada.id)).toMatchObject({ code: 1, stderr: "account is inactive\n" });
    expect((await run("user:enable", ada.id, "--json")).stdout).toBe(`{"id":"${ada.id}","changed":true}\n`);
    await setUpTotp({ ...ada, client: await ada.login() });
    const shown = (await run("user:show", ada.id)).stdout.replaceAll(/\s+/g, " ");
    expect(shown).toMatch(
      /factors authenticator app since [\d: -]{19}, last used [\d: -]{19}; recovery codes left: 10/,
    );
    expect((await run("user:mfa-reset", ada.email)).stdout).toStartWith("second factors and recovery codes removed");
    const sent = await run("user:send-reset", ada.email);
    expect(sent.code).toBe(0);
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    expect(sent.stdout).not.toContain(token);
    expect(sent.stdout).toBe("the link for a new password is on its way to the address of the account\n");
    rows.run("update users set password_hash = null where id = ?", ada.id);
    expect((await run("user:send-reset", ada.email)).stdout).toBe(
      "the link for the first password is on its way to the address of the account\n",
    );
    await nextMail(mailbox, ada.email, "Choose your first password");
    expect(audit.all("subject_user_id = ?1 and actor = 'operator'", ada.id).map(({ action }) => action)).toEqual([
      "auth.user-unlocked",
      "auth.email-verified",
      "auth.user-disabled",
      "auth.user-enabled",
      "auth.factors-reset",
      "auth.password-reset-sent",
      "auth.password-reset-sent",
    ]);
  });

  test("V-28 user:delete takes the address as the answer on a terminal, and nothing else", async () => {
    const ada = await people.register("ada");
    async function answering(answer: string) {
      const asked: string[] = [];
      const said: string[] = [];
      const ask = async (question: string): Promise<string> => {
        asked.push(question);
        return answer;
      };
      const say = (text: string): void => void said.push(text);
      const terminal = { env: target.env, out: say, err: say, readSecret: async () => "", ask };
      const args = ["user:delete", ada.username];
      return { code: await runCli({ definition: definitions.app, build, args, terminal }), asked, said };
    }
    for (const answer of ["", "y", "yes", ada.username]) {
      const { code, asked, said } = await answering(answer);
      expect({ code, said: said.at(-1) }).toEqual({ code: 1, said: "gatehouse user:delete: not deleted" });
      expect(asked).toEqual([`Delete ${ada.username} (${ada.email}) for good? Type the email address to go on: `]);
    }
    expect(rows.count(`users where id = '${ada.id}'`)).toBe(1);
    expect((await answering(` ${ada.email}`)).code).toBe(0);
    expect(rows.count(`users where id = '${ada.id}'`)).toBe(0);
  });

  test("V-28 user:delete asks on a terminal, and elsewhere deletes with --force alone", async () => {
    const ada = await people.register("ada");
    const refused = await run("user:delete", ada.email);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--force");
    expect(rows.count(`users where id = '${ada.id}'`)).toBe(1);
    expect(await run("user:delete", ada.email, "--force")).toMatchObject({
      code: 0,
      stdout: `deleted ${ada.username} (${ada.email})\n`,
    });
    expect(rows.count(`users where id = '${ada.id}'`)).toBe(0);
    expect(await run("user:delete", ada.id, "--force", "--json")).toMatchObject({
      code: 1,
      stderr: unknownAccount,
    });
  });
});
