import { afterAll, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engine } from "./engine.ts";

const make = (): string => mkdtempSync(join(tmpdir(), "gatehouse-test-"));
const remove = (folder: string): void => {
  engine.removeBelow(folder);
  rmSync(folder, { recursive: true, force: true });
};

/** Makes an empty folder, which is removed when the tests of the calling file or describe block have ended. */
export function sharedFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}

/** Gives every test of the file an empty folder. All are removed after the last test, so that no other hook comes too late. */
export function folderOfEachTest(): () => string {
  const made: string[] = [];
  beforeEach(() => void made.push(make()));
  afterAll(() => made.forEach(remove));
  return () => made.at(-1) ?? "";
}
