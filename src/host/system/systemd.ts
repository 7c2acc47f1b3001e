import { existsSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { minute } from "../../core/clock.ts";
import { HostFailure } from "./host.failure.ts";
import type { Ran, Run } from "./programs.ts";
import { readableLine } from "./readable.line.ts";

/** The oldest systemd that supports the units. */
const oldestVersion = 252;
/** The longest wait for systemctl: a service may take as long as its settings allow to end its work. */
const actLimitMs = 15 * minute;
const commandLimitSeconds = 60;

export function createSystemd({
  run,
  booted = "/run/systemd/system",
}: {
  readonly run: Run;
  /** The folder that exists if systemd runs the host: see sd_booted(3). */
  readonly booted?: string;
}) {
  /** Returns the output of a program whose failure can only be unforeseen. */
  async function mustRun(command: readonly [string, ...string[]]): Promise<string> {
    const { code, output, complaint } = await run(command);
    if (code === 0) return output;
    throw new HostFailure(
      `${command.join(" ")} ended with ${code}: ${complaint}`,
      "see whether systemd is well: systemctl status",
    );
  }

  return {
    /** Throws a HostFailure if this host is not run by systemd, or by one too old for the units. */
    async check(): Promise<void> {
      if (!existsSync(booted))
        throw new HostFailure(
          "systemd does not run this host",
          "take a host with systemd, or run the binary under a supervisor of your own",
        );
      const said = await mustRun(["systemctl", "--version"]);
      const version = Number(/^systemd (\d+)/.exec(said)?.[1]);
      if (!(version >= oldestVersion))
        throw new HostFailure(
          `this host has systemd ${Number.isNaN(version) ? "of an unknown version" : version}, and the units need ${oldestVersion} or later`,
          "upgrade to Debian 12, Ubuntu 24.04 or later",
        );
    },

    /** Lists loaded units that match one of the patterns and are in one of the states. */
    async list(patterns: readonly string[], states: readonly string[]): Promise<readonly string[]> {
      const options = ["--all", "--plain", "--no-legend", `--state=${states.join(",")}`];
      const listed = await mustRun(["systemctl", "list-units", ...options, "--", ...patterns]);
      return listed.split("\n").flatMap((line) => line.trim().split(/\s+/)[0] || []);
    },

    /** `active` is as systemd names the state, such as active or failed; `mainPid` is 0 where the unit has no process. */
    async state(unit: string): Promise<{ readonly active: string; readonly mainPid: number }> {
      const shown = await mustRun(["systemctl", "show", "--property=ActiveState,MainPID", "--", unit]);
      const value = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(shown)?.[1] ?? "";
      return { active: value("ActiveState"), mainPid: Number(value("MainPID")) };
    },

    /** Runs `systemctl VERB UNIT…` and resolves once its jobs are done. */
    act: (verb: string, units: readonly string[], { timeoutMs = actLimitMs } = {}): Promise<Ran> =>
      run(["systemctl", verb, "--", ...units], { timeoutMs }),

    /**
     * Returns lines that a unit printed, oldest first and log lines in words: the last ones, or all since a moment in seconds of the epoch.
     */
    async journal(
      unit: string,
      which: { readonly last: number } | { readonly since: number },
    ): Promise<readonly string[]> {
      // The unit's last output may still be on its way.
      await run(["journalctl", "--sync"]);
      const range =
        "last" in which
          ? [`--lines=${which.last}`, `--unit=${unit}`]
          : ["--lines=1000", `--since=@${which.since}`, `_SYSTEMD_UNIT=${unit}`];
      const { output } = await run(["journalctl", "--quiet", "--no-pager", "--output=cat", ...range]);
      return output === "" ? [] : output.split("\n").map(readableLine);
    },

    /** Runs a program as the app's services run: with their user, settings, secrets and sandbox. */
    runAsService: (app: string, command: readonly [program: string, ...args: string[]]): Promise<Ran> =>
      run(
        [
          "systemd-run",
          "--quiet",
          "--collect",
          "--wait",
          "--pipe",
          "--service-type=exec",
          `--property=RuntimeMaxSec=${commandLimitSeconds}`,
          `--unit=${app}-release-${randomBytes(8).toString("hex")}`,
          "--",
          ...command,
        ],
        // systemd ends the command first, and says so.
        { timeoutMs: (commandLimitSeconds + 30) * 1000 },
      ),
  };
}
