import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../../../src/cli/table.ts";
import { sharedFolder } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse } from "../../support/process.ts";
import { startInTerminal } from "../../support/terminal.ts";

const cwd = sharedFolder();

let end: (() => Promise<void>) | undefined;
afterEach(async () => {
  await end?.();
  end = undefined;
});

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runGatehouse(["completion", shell], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const path = join(cwd, `gatehouse.${shell}`);
  await Bun.write(path, stdout);
  return path;
}

/** The typed line with its tab → the line that the shell then runs. */
const typed: Readonly<Record<string, string>> = {
  "user:sh\t": "user:show",
  "migr\t:st\t": "migrate:status",
  "user:list --se\tada": "user:list --search ada",
  "migrate --dr\t": "migrate --dry-run",
  "health --probe re\t": "health --probe ready",
  "audit:list --action auth.pass\tch\t": "audit:list --action auth.password-changed",
  "audit:list --outcome=fa\t": "audit:list --outcome=failure",
  "service:create crm --scope introspect,users:re\t": "service:create crm --scope introspect,users:read",
  "user:import accou\t": "user:import accounts.ndjson",
  "backup:create --output accou\t": "backup:create --output accounts.ndjson",
  "completion zs\t": "completion zsh",
  "help webhook:te\t": "help webhook:test",
};

const shells = [
  ["bash", ["--norc", "--noprofile", "-i"], "source"],
  ["zsh", ["-f", "-i"], "autoload -Uz compinit && compinit -D && setopt auto_remove_slash && source"],
] as const;

describe("completion", () => {
  for (const [shell, args, load] of shells) {
    const path = Bun.which(shell);
    test.skipIf(path === null)(`${shell} completes commands, flags, values and files`, async () => {
      const source = await script(shell);
      await Bun.write(join(cwd, "accounts.ndjson"), "");
      const {
        type,
        shown,
        until,
        end: stop,
      } = startInTerminal([shell, ...args], { cwd, env: { HOME: cwd, PS1: "> " } });
      end = stop;
      // The shell runs this function in place of the program. The function shows the completed line.
      type(`gatehouse() { echo "RUN[$*]"; }; ${load} ${source}; echo READY\n`);
      await until(/READY\r/);
      for (const [line, run] of Object.entries(typed)) {
        type(`gatehouse ${line}\n`);
        // zsh adds an equals sign after a flag that takes a value.
        const isShown = (): boolean =>
          shown()
            .replaceAll("=", " ")
            .includes(`RUN[${run.replaceAll("=", " ")}]`);
        await eventually(`${line} becomes ${run}`, isShown, 20_000);
      }
    });
  }

  test.skipIf(Bun.which("fish") === null)("fish completes commands, flags, values and files", async () => {
    const source = await script("fish");
    await Bun.write(join(cwd, "accounts.ndjson"), "");
    async function offered(line: string): Promise<readonly string[]> {
      const env = { PATH: process.env["PATH"] ?? "", HOME: cwd };
      const child = Bun.spawn(["fish", "--no-config", "-c", `source ${source}; complete -C "gatehouse ${line}"`], {
        cwd,
        env,
        stderr: "pipe",
      });
      const text = await child.stdout.text();
      expect(await child.stderr.text()).toBe("");
      return text
        .trimEnd()
        .split("\n")
        .map((row) => row.split("\t")[0] ?? "");
    }
    expect((await offered("")).toSorted()).toEqual([...commands.keys()].toSorted());
    expect(await offered("user:sh")).toEqual(["user:show"]);
    expect(await offered("migrate --dr")).toEqual(["--dry-run"]);
    expect(await offered("health --probe re")).toEqual(["ready"]);
    expect(await offered("audit:list --action auth.password-c")).toEqual(["auth.password-changed"]);
    expect(await offered("backup:create --output accou")).toEqual(["accounts.ndjson"]);
    expect(await offered("user:import accou")).toEqual(["accounts.ndjson"]);
    expect(await offered("user:show accou")).toEqual([""]);
    expect(await offered("completion zs")).toEqual(["zsh"]);
    expect(await offered("help use")).toContain("user:show");
  });

  test("the admin app completes under its own name", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { stdout } = await runGatehouse(["completion", shell], { app: "admin", cwd });
      expect(stdout).toContain("gatehouse-admin");
      expect(stdout.replaceAll(/gatehouse[-_]admin/g, "")).not.toContain("gatehouse");
    }
  });
});
