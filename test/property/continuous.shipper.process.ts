import { createShipper } from "../../src/backup/changes/shipper.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { agesOf } from "../support/ages.ts";
import { abilitiesOf, ada, examine, vaultOf } from "../support/backups.ts";
import { createRecordingLog } from "../support/log.ts";

// Copies a database to a folder until it is stopped.
const [path = "", folder = ""] = process.argv.slice(2);
const opened = openDatabase({ driver: "sqlite", path }, { create: false });
const disk = openStorage({ config: { driver: "local", path: folder }, name: "offsite", clock: systemClock });
const log = createRecordingLog();
const shipper = createShipper({
  changes: abilitiesOf(opened).changes,
  installation: ada,
  examine,
  vault: vaultOf(disk),
  place: { workFolder: `${path}.backing-up`, workFile: "changes.db" },
  everyMs: 60,
  keepMs: 60_000,
  clock: systemClock,
  ages: agesOf(systemClock),
  log,
  pollMs: 10,
});
process.on("SIGTERM", () => {
  void (async () => {
    await shipper.stop();
    await opened.database.close();
    await disk.close();
    process.stdout.write(JSON.stringify(log.lines));
    process.exit(0);
  })();
});
shipper.start();
