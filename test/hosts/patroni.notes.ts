import { auth, createPeople } from "../support/auth.ts";
import type { Answer, Client } from "../support/client.ts";

const writers = 4;

/** Makes people who give themselves a new name all the time, each one name after the other: that costs no more than a write. */
export async function createNotes(doors: readonly string[]) {
  const all = await Promise.all(
    Array.from({ length: writers }, (_, lane) =>
      createPeople(doors[lane % doors.length] ?? "").register(`ada.writes.${lane}.`),
    ),
  );
  const clientOf = (lane: number): Client => {
    const person = all[lane];
    if (person === undefined) throw new Error(`nobody writes in lane ${lane}`);
    return person.client;
  };
  let count = 0;
  return {
    client: clientOf(0),
    write: async (_: Client, lane: number): Promise<Answer> =>
      clientOf(lane)
        .copy()
        .post(auth("profile"), { display_name: `Ada ${(count += 1)}` }),
  };
}

export type Notes = Awaited<ReturnType<typeof createNotes>>;
