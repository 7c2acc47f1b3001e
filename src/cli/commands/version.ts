import type { BuildInfo } from "../../core/build.ts";
import { command, exitCode } from "../command.ts";
import { jsonLine, jsonObject } from "../terminal/json.ts";

export const versionLine = (binary: string, { version, revision }: BuildInfo): string =>
  `${binary} ${version} (${revision})`;

export const version = command({
  args: { json: jsonObject },
  async run({ binary, build, terminal }, args) {
    const { version, revision } = build;
    terminal.out(args.json === true ? jsonLine({ program: binary, version, revision }) : versionLine(binary, build));
    return exitCode.done;
  },
});
