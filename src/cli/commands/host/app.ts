import { exitCode, type CommandContext, type ExitCode } from "../../command.ts";
import { harmlessLines } from "../../terminal/columns.ts";
import {
  createSystem,
  HostFailure,
  isOn,
  ownBinary,
  usualPace,
  usualSmoke,
  type HostApp,
  type Settings,
  type System,
} from "../../../host/index.ts";
import { generatedSecrets, providerKeys } from "../settings/key.ts";
import { withReleases } from "../release.ts";
import { shellLine } from "./shell.line.ts";

/** The app whose units and settings the commands manage: that of the binary. */
export const hostApp = ({ definition }: CommandContext): HostApp =>
  definition.name === "admin" ? "gatehouse-admin" : "gatehouse";

/** Returns the access of a command to this host. */
export const hostSystem = (context: CommandContext): System => createSystem({ line: shellLine(context) });

/** Returns the secrets of the app that have to be on a host with these settings. */
export const neededSecrets =
  (app: HostApp) =>
  (settings: Settings): readonly string[] => {
    const own = generatedSecrets.filter((variable) => variable.startsWith("ADMIN_") === (app === "gatehouse-admin"));
    if (app === "gatehouse-admin" || !isOn(settings["IDP_ENABLED"])) return own;
    const isSet = (variable: string): boolean => [variable, `${variable}_FILE`].some((name) => settings[name]);
    return [...own, ...Object.keys(providerKeys).filter((variable) => !isSet(variable))];
  };

/** Runs an act on the host. A failure of the host is printed as one sentence, and its remedy as another. */
export async function onHost(
  { terminal, binary, name }: CommandContext,
  act: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    terminal.err(harmlessLines(`${binary} ${name}: ${error.message}`));
    terminal.err(harmlessLines(`what to do: ${error.advice}`));
    return exitCode.failed;
  }
}

export function releaseActs(context: CommandContext) {
  const options = { ...usualPace, smoke: usualSmoke(hostApp(context)) };
  const must = async (code: Promise<ExitCode>): Promise<void> => {
    if ((await code) !== exitCode.done)
      throw new HostFailure("the release did not come into service", "do what is said above, then run this again");
  };
  return {
    activate: ({ createDatabase }: { readonly createDatabase: boolean }) =>
      must(withReleases(context, (releases) => releases.activate({ ...options, source: ownBinary, createDatabase }))),
    restart: () => must(withReleases(context, (releases) => releases.restart(options))),
  };
}
