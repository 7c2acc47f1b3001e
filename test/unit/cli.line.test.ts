import { expect, test } from "bun:test";
import { build } from "../../src/cli/build.info.ts";
import {
  command,
  exitCode,
  runLine,
  UsageError,
  type CommandContext,
  type CommandEntry,
} from "../../src/cli/command.ts";
import { definitions } from "../support/definitions.ts";

/** Makes three commands that write down what happens to them: `run` is the default, `greet` takes a name, `fail` ends with 1. */
function program() {
  const loaded: string[] = [];
  const ran: string[] = [];
  const entry = (name: string, made: Awaited<ReturnType<CommandEntry["load"]>>): [string, CommandEntry] => [
    name,
    {
      summary: name,
      load: async () => {
        loaded.push(name);
        return made;
      },
    },
  ];
  const commands = new Map([
    entry("run", command({ args: {}, run: async () => (ran.push("run"), exitCode.done) })),
    entry(
      "greet",
      command({
        args: { name: { type: "positional", required: true }, loud: { type: "boolean" } },
        run: async ({ binary }, args) => (
          ran.push(`${binary} greets ${args.name}${args.loud === true ? " aloud" : ""}`),
          exitCode.done
        ),
      }),
    ),
    entry("fail", command({ args: {}, run: async () => (ran.push("fail"), exitCode.failed) })),
    entry("throw", command({ args: {}, run: () => Promise.reject(new Error("no database")) })),
  ]);
  const terminal = { env: {}, out() {}, err() {}, readSecret: () => Promise.resolve("") };
  const context: CommandContext = {
    definition: definitions.app,
    build,
    terminal,
    binary: "gatehouse",
    name: "greet",
    line: ["greet"],
    groups: [],
  };
  const call = (...line: string[]) => runLine(line, context, { commands, defaultCommand: "run" });
  return { call, loaded, ran };
}

test("a line loads and runs the command that it names, and no other", async () => {
  const { call, loaded, ran } = program();
  expect(await call("greet", "ada", "--loud")).toBe(exitCode.done);
  expect({ loaded, ran }).toEqual({ loaded: ["greet"], ran: ["gatehouse greets ada aloud"] });
});

test("an empty line runs the default command, once, which a named command does not run as well", async () => {
  const { call, loaded, ran } = program();
  expect(await call()).toBe(exitCode.done);
  expect(await call("fail")).toBe(exitCode.failed);
  expect({ loaded, ran }).toEqual({ loaded: ["run", "fail"], ran: ["run", "fail"] });
});

test("the words behind a command are its arguments, also where they are names of commands", async () => {
  const { call, loaded, ran } = program();
  expect(await call("greet", "fail")).toBe(exitCode.done);
  expect(await call("greet", "--", "--loud")).toBe(exitCode.done);
  expect(loaded).toEqual(["greet", "greet"]);
  expect(ran).toEqual(["gatehouse greets fail", "gatehouse greets --loud"]);
});

test("wrong arguments are refused in the words of this program, before anything runs, and a failure keeps its own", async () => {
  const { call, ran } = program();
  await expect(call("greet")).rejects.toThrow(new UsageError("NAME is missing"));
  await expect(call("greet", "ada", "grace")).rejects.toThrow(new UsageError('unexpected argument "grace"'));
  await expect(call("run", "--", "greet")).rejects.toThrow(new UsageError('unexpected argument "greet"'));
  await expect(call("greet", "ada", "--lod")).rejects.toThrow(new UsageError("unknown option --lod"));
  await expect(call("throw")).rejects.toThrow("no database");
  expect(ran).toEqual([]);
});
