import { expect, test } from "bun:test";
import { shellLine } from "../../src/cli/commands/host/shell.line.ts";

const build = { version: "1.0.0", revision: "abc" };

test("X-07 the line that is to be copied is one line without control characters, which a shell reads as what was typed", () => {
  for (const word of [
    "it's",
    "a b",
    "$(id) `id`",
    "\u001b]0;title\u0007",
    "two\nlines",
    "back\\slash\tand 'tab'",
    "",
    "ümlaut",
  ]) {
    const line = shellLine({ binary: "gatehouse", build, line: ["backup:verify", word] });
    expect(line).not.toMatch(/\p{Cc}/u);
    const { stdout } = Bun.spawnSync(["bash", "-c", `printf '%s\\0' ${line}`]);
    expect(stdout.toString().split("\0").slice(-3)).toEqual(["backup:verify", word, ""]);
  }
});
