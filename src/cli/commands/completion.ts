import { command, exitCode } from "../command.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { modelOf } from "../completion/model.ts";
import { zshCompletion } from "../completion/zsh.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
const names = ["bash", "zsh", "fish"] as const;

export const completion = command({
  args: {
    shell: {
      type: "positional",
      required: true,
      description: "bash, zsh or fish. In bash: source <(gatehouse completion bash)",
    },
  },
  values: { shell: { among: names } },
  async run({ binary, groups, terminal }, args) {
    const shell = names.find((name) => name === args.shell) ?? "bash";
    terminal.out(shells[shell](await modelOf(binary, groups)));
    return exitCode.done;
  },
});
