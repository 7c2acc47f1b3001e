import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { calm } from "../../support/auth.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { runGatehouse } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { canMount, smallDisk } from "../../support/small.disk.ts";

const folder = folderOfEachTest();

test.skipIf(!canMount)(
  "B-51 a restore that has no room is refused in words, and leaves nothing behind",
  async () => {
    using small = smallDisk(8 * 1024);
    const made = join(folder(), "data", "app.db");
    const run = (database: string, ...args: string[]) =>
      runGatehouse(args, {
        cwd: folder(),
        env: { ...testEnvironment(folder()), ...calm, DB_DATABASE: database },
        limitMs: 60_000,
      });
    expect(await run(made, "migrate", "--create")).toMatchObject({ code: 0 });
    const rows = openRows(made);
    rows.run("insert into cache_entries values ('filler', 'large', hex(randomblob(3000000)), null)");
    rows.close();
    const backup = join(folder(), "backup.db");
    expect(await run(made, "backup:create", "--output", backup)).toMatchObject({ code: 0 });
    const put = await run(made, "backup:create", "--disk", "default", "--json");
    const { file }: { file: string } = JSON.parse(put.stdout);

    const target = join(small.folder, "data", "app.db");
    // There is room for the file itself, but not for the copy that is fetched as well.
    const fetched = await run(target, "backup:restore", "--disk", "default", "--file", file);
    expect(fetched).toMatchObject({ code: 1, stdout: "" });
    expect(fetched.stderr).toMatch(/has not enough room: this takes 1\d MiB there, and [78] MiB are free/);
    expect(readdirSync(small.folder)).toEqual([]);
    expect(await run(target, "backup:restore", "--input", backup)).toMatchObject({ code: 0 });

    await mkdir(join(small.folder, "other"));
    const second = await run(join(small.folder, "other", "app.db"), "backup:restore", "--input", backup);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain(`the disk of ${join(small.folder, "other")} has not enough room`);
    expect(readdirSync(join(small.folder, "other"))).toEqual([]);
  },
  60_000,
);
