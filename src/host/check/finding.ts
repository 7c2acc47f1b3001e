import type { HostApp } from "../files/index.ts";
import type { Settings, Topology } from "../files/settings.ts";
import type { HostUnits } from "../files/topology.ts";
import type { InstallRecord } from "../install/record.ts";
import type { Places } from "../release/index.ts";
import type { System } from "../system/index.ts";

export interface Finding {
  /** What of the host was looked at. */
  readonly check: string;
  /** A note needs no mending: it says what an operator may have decided, or may want to decide. */
  readonly level: "wrong" | "note";
  readonly problem: string;
  /** The command that mends it, or what to do where no command can. */
  readonly mend: string;
}

/** Finds the lines of a file of settings that do otherwise than they look, and says so without any value. */
export type JudgeLines = (
  text: string,
) => readonly { readonly line: number; readonly level: Finding["level"]; readonly says: string }[];

/** What all checks of a host know. */
export interface HostView {
  readonly system: System;
  readonly app: HostApp;
  /** The folder that stands for / of the host. */
  readonly root: string;
  readonly topology: Topology;
  readonly settings: Settings;
  readonly record: InstallRecord;
  readonly units: HostUnits;
  readonly places: Places;
  /** The release that `current` names. */
  readonly current: string | undefined;
  /** The secrets that a start needs. */
  readonly secrets: readonly string[];
  /** What lines of the file of settings do otherwise than they look. */
  readonly judgeLines: JudgeLines;
}

/** Says what is wrong, or nothing. */
export type HostCheck = (view: HostView) => Promise<readonly Found[]>;
export type Found = Omit<Finding, "check">;

export const wrong = (problem: string, mend: string): Found => ({ level: "wrong", problem, mend });
export const note = (problem: string, mend: string): Found => ({ level: "note", problem, mend });
export const install = (app: HostApp): string => `${app} host:install`;
