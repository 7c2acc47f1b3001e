import { withApp } from "../../app/with.app.ts";
import { command, exitCode } from "../../command.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";

const rows = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "secret" : "secrets"}`;

/** Seals anew what an earlier APP_KEY has sealed. Afterwards the earlier key is needed no more. */
export const reseal = command({
  args: { json: jsonObject },
  async run(context, args) {
    const { terminal } = context;
    return withApp(context, async (app) => {
      const { resealed, current, lost } = await interruptible(async (signal) => {
        const done = await app.reseal(signal);
        signal.throwIfAborted();
        return done;
      });
      if (args.json === true) terminal.out(jsonLine({ resealed, current, lost }));
      else terminal.out(`${rows(resealed)} sealed anew, ${rows(current)} sealed by the present key before`);
      if (lost.length === 0) return exitCode.done;
      terminal.err(
        `no known key opens the secret of the provider of ${lost.join(", ")}: add the earlier key to APP_PREVIOUS_KEYS, or have an owner set the provider again`,
      );
      return exitCode.failed;
    });
  },
});
