import { expect, test } from "bun:test";
import { createFollower } from "../../src/drivers/events/redis/follower.ts";
import { createRecordingLog } from "../support/log.ts";

test("an entry that somebody else has added to the stream leaves the place of a subscriber as it is", async () => {
  const entries = [
    { id: "1-0", sequence: 1, text: "" },
    { id: "2-0", sequence: Number("of somebody"), text: "" },
    { id: "3-0", sequence: 2, text: "" },
  ];
  const saved: { id: string; sequence: number }[] = [];
  const log = createRecordingLog();
  const follower = createFollower({
    name: "mirror",
    stream: {
      append: async () => {},
      readAfter: async (id) => entries.filter((entry) => entry.id > id),
      newest: async () => undefined,
      awaitAfter: async (id) => id,
    },
    turn: {
      claim: async (start) => start,
      save: async (position) => {
        saved.push(position);
        return true;
      },
      release: async () => {},
    },
    eventIn: () => undefined,
    deliver: async () => {},
    log,
    deliveries: undefined,
  });
  follower.tick();
  await follower.placed();
  expect(saved).toEqual([
    { id: "1-0", sequence: 1 },
    { id: "2-0", sequence: 1 },
    { id: "3-0", sequence: 2 },
  ]);
  await follower.stop(1_000);
});
