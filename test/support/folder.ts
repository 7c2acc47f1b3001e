import { afterAll, afterEach, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const make = (): string => mkdtempSync(join(tmpdir(), "gatehouse-test-"));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** An empty folder that goes when the tests of the file or the describe block that asks for it have ended. */
export function sharedFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}

/** Gives every test of the file an empty folder, which goes with the test. Ask for it before other hooks use it. */
export function folderOfEachTest(): () => string {
  let folder = "";
  beforeEach(() => {
    folder = make();
  });
  afterEach(() => remove(folder));
  return () => folder;
}
