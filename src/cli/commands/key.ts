import { randomToken } from "../../core/crypto.ts";
import { command, exitCode } from "../command.ts";

/** 256 bits each, and a diagnostic token for each app. Ready to be appended to an environment file. */
export const generate = command({
  args: {},
  async run(context) {
    for (const name of ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN", "ADMIN_APP_DIAG_TOKEN"])
      context.terminal.out(`${name}=${randomToken()}`);
    return exitCode.done;
  },
});
