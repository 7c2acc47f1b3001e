import type { Config } from "../../config/index.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import { exitCode, type CommandContext, type ExitCode } from "../command.ts";

interface Watched {
  readonly log: Log;
  readonly watch: (database: Database) => Database;
}

/** Runs a command that opens the database without the app, and records it if recording is on. */
export async function recorded(
  { name }: CommandContext,
  { config, log }: { readonly config: Config; readonly log: Log },
  run: (watched: Watched) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!config.lighthouse.recording) return run({ log, watch: (database) => database });
  const { openInspects } = await import("../../app/inspects.ts");
  const inspects = openInspects({ config, log });
  try {
    const isFailure = (code: ExitCode): boolean => code !== exitCode.done;
    return await inspects.command(
      name,
      () => run({ log: inspects.log(log), watch: (database) => inspects.database(database) }),
      isFailure,
    );
  } finally {
    await inspects.close();
  }
}
