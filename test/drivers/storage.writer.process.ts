// A second process for the local disk's tests puts a file whose content never ends, and says when some of it is written.
import { systemClock } from "../../src/core/clock.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";

const storage = openStorage({
  config: { driver: "local", path: process.argv[2] ?? "" },
  name: "uploads",
  clock: systemClock,
});
let chunks = 0;
await storage.put(
  "note",
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      chunks += 1;
      if (chunks === 10) console.log("writing");
      await Bun.sleep(1);
      controller.enqueue(new Uint8Array(10_000));
    },
  }),
);
