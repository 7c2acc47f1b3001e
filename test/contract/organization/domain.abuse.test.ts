import { expect, test } from "bun:test";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { domainKit, freshDomain, nameServerOfFile, recordOf } from "./domain.fixture.ts";
import { organizationKit } from "./organization.fixture.ts";

const { names, env } = await nameServerOfFile();
const staged = await stage({ env });
const kit = organizationKit(staged);
const domains = domainKit(staged, names);

test("Z-88 whoever has names looked up without end keeps no proof from being looked at again", async () => {
  const { people, rows } = staged;
  const ada = await people.register("ada");
  const proven = await domains.prove(ada, await kit.create(ada), freshDomain());
  for (const name of ["mallory", "mordred"]) {
    const person = await people.register(name);
    const id = await kit.create(person, "Flood");
    const silent = freshDomain("silent");
    const claimed = await domains.claim(person, id, silent);
    names.answers.set(recordOf(silent), "silence");
    for (let asked = 0; asked < 40; asked += 1) void domains.verify(person, id, claimed).catch(() => undefined);
  }
  await eventually("lookups wait", () => names.waiting() >= 8 || names.asked.length > 8);
  await domains.recheck();
  const { seen, checked } = rows.get(
    "select seen_at as seen, checked_at as checked from organization_domains where id = ?",
    proven.id,
  );
  expect(Number(seen)).toBe(Number(checked));
}, 90_000);
