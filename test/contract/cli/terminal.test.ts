import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { testEnvironment } from "../../support/environment.ts";
import { engine } from "../../support/engine.ts";
import { sharedFolder } from "../../support/folder.ts";
import { commandLine, runGatehouse, type CommandResult } from "../../support/process.ts";
import { startInTerminal } from "../../support/terminal.ts";

const cwd = sharedFolder();
const env = (): Record<string, string> => testEnvironment(cwd);
const run = (args: readonly string[], stdin = ""): Promise<CommandResult> =>
  runGatehouse(args, { cwd, env: env(), stdin });
const password = "a long walk by the sea";

let end: (() => Promise<void>) | undefined;
afterEach(async () => {
  await end?.();
  end = undefined;
});

function onTerminal(...args: string[]) {
  const session = startInTerminal([...commandLine("app"), ...args], { cwd, env: engine.environment(env()) });
  end = session.end;
  return session;
}

beforeAll(async () => {
  expect((await run(["migrate"])).code).toBe(0);
  expect((await run(["auth:create-user", "--email", "grace@example.test"], `${password}\n`)).code).toBe(0);
});

describe("a password on a terminal", () => {
  test("C-60 is asked for twice, shown never, and asked for anew where the two differ", async () => {
    const { type, until, shown, echoes, child } = onTerminal("auth:create-user", "--email", "ada@example.test");
    await until("Password: ");
    expect(echoes()).toBe(false);
    type(`${password}\r`);
    await until("again: ");
    type(`${password} or not\r`);
    await until("the two are not the same");
    // The password is corrected by the backspace, by Ctrl-U, and with an arrow that means nothing; it is also typed ahead.
    type(`wrong\u0015${password}x\u007f`);
    type("\u001b[D");
    type(`\r${password}\r`);
    await until("created ");
    expect(await child.exited).toBe(0);
    expect(echoes()).toBe(true);
    expect(shown()).not.toContain("walk");
  });

  test("C-61 is asked for only where there is something to set it for", async () => {
    for (const [args, complaint] of [
      [["auth:create-user", "--email", "GRACE@example.test"], "email already in use"],
      [["auth:create-user", "--email", "no address"], "email"],
      [["auth:set-password", "nobody@example.test"], "no such account"],
    ] as const) {
      const { shown, until, child } = onTerminal(...args);
      await until(complaint);
      expect(await child.exited).toBe(1);
      expect(shown()).not.toContain("\u001b[");
      expect(shown()).not.toContain("assword: ");
      await end?.();
    }
  });

  test.each([
    ["Ctrl-C", "another\u0003"],
    ["Ctrl-D", "\u0004"],
  ])(
    "C-62 %s at the prompt changes nothing, says nothing, and the terminal shows again what is typed",
    async (_, keys) => {
      const { type, until, shown, echoes, child } = onTerminal("auth:set-password", "grace@example.test");
      await until("New password: ");
      type(keys);
      expect(await child.exited).toBe(130);
      expect(echoes()).toBe(true);
      await until("\n");
      expect(shown()).toBe("New password: \r\n");
    },
  );

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "C-62 a %s at the prompt leaves a terminal that shows what is typed",
    async (signal) => {
      const { until, echoes, child } = onTerminal("auth:set-password", "grace@example.test");
      await until("New password: ");
      child.kill(signal);
      expect(await child.exited).toBe(signal === "SIGINT" ? 130 : 1);
      expect(echoes()).toBe(true);
    },
  );
});

test("a question is answered by a line, and Ctrl-C or Ctrl-D is no answer", async () => {
  for (const key of ["\u0003", "\u0004"]) {
    const { type, until, child } = onTerminal("user:delete", "grace@example.test");
    await until("to go on: ");
    type(key);
    expect(await child.exited).toBe(130);
    await end?.();
  }
  const { type, until, child } = onTerminal("user:delete", "grace@example.test");
  await until("to go on: ");
  type("grace@example.tesx\u007ft\r");
  await until("deleted grace@example.test");
  expect(await child.exited).toBe(0);
});
