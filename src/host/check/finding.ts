import type { HostApp } from "../files/index.ts";
import type { Settings, Topology } from "../files/settings.ts";
import type { HostUnits } from "../files/topology.ts";
import type { InstallRecord } from "../install/record.ts";
import type { Places } from "../release/index.ts";
import type { System } from "../system/index.ts";

export interface Finding {
  readonly check: string;
  /** A note needs no mending: it reports something that an operator may have decided, or may want to decide. */
  readonly level: "wrong" | "note";
  readonly problem: string;
  /** The command that mends the problem, or what to do where no command can. */
  readonly mend: string;
}

/** Finds lines of a file of settings that do otherwise than they look. The findings repeat no value. */
export type JudgeLines = (
  text: string,
) => readonly { readonly line: number; readonly level: Finding["level"]; readonly says: string }[];

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
  readonly secrets: readonly string[];
  readonly judgeLines: JudgeLines;
}

/** Returns the problems found; empty where all is well. */
export type HostCheck = (view: HostView) => Promise<readonly Found[]>;
export type Found = Omit<Finding, "check">;

export const wrong = (problem: string, mend: string): Found => ({ level: "wrong", problem, mend });
export const note = (problem: string, mend: string): Found => ({ level: "note", problem, mend });
export const install = (app: HostApp): string => `${app} host:install`;
