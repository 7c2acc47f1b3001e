import { expect, test } from "bun:test";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";

const cwd = sharedFolder();
// Nothing here reaches the host. test/release and test/unit/release show the effects of a release, on hosts of their own.
const run = (...args: readonly string[]): Promise<CommandResult> =>
  runGatehouse(args, { cwd, env: testEnvironment(cwd) });

test("the commands for releases refuse a command line that they do not understand, before they look at the host", async () => {
  for (const [args, reason] of [
    [["release:activate", "--nonsense"], /--nonsense/],
    [["release:activate", "a", "b"], /unexpected argument "b"/],
    [["release:rollback", "a"], /unexpected argument "a"/],
    [["release:rollback", "--create-database"], /--create-database/],
    [["release:activate", "--settle", "soon", "a"], /--settle takes seconds/],
    [["release:restart", "--settle"], /--settle/],
    [["release:restart", "--ready-within", "1.5"], /--ready-within takes whole seconds/],
    [["release:restart", "--smoke", "/-/health"], /--smoke takes a path and a status/],
    [["release:list", "all"], /unexpected argument "all"/],
  ] as const) {
    const { code, stdout, stderr } = await run(...args);
    expect({ args, code, stdout, stderr }).toEqual({
      args,
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(reason),
    });
    expect(stderr).toEndWith(`see gatehouse ${args[0]} --help\n`);
  }
});
