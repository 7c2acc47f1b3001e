import { randomToken } from "../../core/crypto.ts";
import { command, exitCode } from "../command.ts";

/** Prints secrets of 256 bits, a diagnostic token for each app among them, as lines that can be appended to an environment file. */
export const generate = command({
  args: {},
  async run(context) {
    for (const name of ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN", "ADMIN_APP_DIAG_TOKEN"])
      context.terminal.out(`${name}=${randomToken()}`);
    return exitCode.done;
  },
});
