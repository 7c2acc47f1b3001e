import { command, exitCode } from "./command.ts";
import { readSettings } from "./environment.ts";

/** Wrong configuration is thrown, and told with exit code 2, exactly as at a start. */
export const check = command({
  args: {},
  async run({ definition, terminal }) {
    const { config } = readSettings(definition.name, terminal, { onlyLooks: true });
    terminal.out(`the environment is valid for ${config.app.name} in ${config.app.env}`);
    return exitCode.done;
  },
});
