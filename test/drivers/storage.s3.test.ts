import { systemClock } from "../../src/core/clock.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { startS3 } from "../support/s3.ts";
import { storageConformance } from "./storage.conformance.ts";

storageConformance("s3", async () => {
  const server = startS3();
  const { url, ...keys } = server;
  const config = {
    driver: "s3",
    path: "",
    bucket: "offsite",
    endpoint: new URL(url),
    prefix: "gatehouse",
    ...keys,
  } as const;
  const storage = openStorage({ config, name: "uploads", clock: systemClock });
  return {
    storage,
    async dispose() {
      await storage.close();
      await server.stop();
    },
  };
});
