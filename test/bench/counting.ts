import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import { hash } from "@node-rs/argon2";
import { auditRow } from "../../src/audit/index.ts";
import { createSessionRepository } from "../../src/auth/session/session.repository.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { auditEntry } from "../../src/core/audit.ts";
import { minute, systemClock } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { count, median, percent, times, type Part } from "./findings.ts";
import { migrate } from "./gatehouse.ts";
import { interleave, medianRatio, processorMs } from "./load.ts";
import { fill, userId } from "./people.rows.ts";
import { argon2Parameters } from "./population.ts";

const rounds = 15;
const loginsARound = 1_000;
const size = { users: 20_000, sessions: 40_000, events: 100_000 };
const indexes = ["audit_events_actor", "audit_events_staff", "audit_events_service"];

/** Measures what a login costs more because its row of the audit log is counted by the hour and indexed by actor. */
export const counting: Part = {
  name: "counting",
  limitSeconds: 120,
  async run({ workspace }) {
    const [path, bare] = [workspace.path("counted.db"), workspace.path("uncounted.db")];
    await migrate(workspace, path);
    await fill(path, size);
    copyFileSync(path, bare);
    const database = new Database(bare);
    database.run("drop trigger audit_events_counted");
    for (const index of indexes) database.run(`drop index ${index}`);
    database.close();
    const sides = { with: subject(path), without: subject(bare) } as const;
    const names = ["with", "without"] as const;
    const results = await interleave(rounds, names, (name) => sides[name].logIn());
    await Promise.all(names.map((name) => sides[name].close()));

    const ratio = medianRatio(results("with"), results("without"), (millis) => millis);
    const differences = results("with").map((millis, round) => millis - (results("without")[round] ?? millis));
    const added = median(differences) / loginsARound;
    const hashMs = await processorMs(() => hash("a password", argon2Parameters));
    const share = added / hashMs;
    return {
      measures: [
        {
          measure: "processor time that counting the audit log adds to a login, of that of its Argon2id hash",
          goal: "≤ 1 %",
          measured: percent(share),
          met: share <= 0.01,
        },
      ],
      raw: [
        `the commit of a login: ${(added * 1_000).toFixed(1)} µs of the database with the trigger and the indexes more than without, ${times(ratio)}, of ${count(rounds * loginsARound)} each; its Argon2id hash: ${hashMs.toFixed(1)} ms`,
      ],
    };
  },
};

/** Makes logins one after another, without a hash and without waiting for the disk, which would take nearly all of the time. */
function subject(path: string) {
  const { database } = createSqliteDatabase({ path, name: "default" });
  const users = createUserRepository(database);
  const sessions = createSessionRepository(database, "app");
  let turn = 0;

  async function logInOnce(now: number): Promise<void> {
    turn += 1;
    const [user, session] = [userId((turn * 6_119) % size.users), newId()];
    const opened = sessions.insert({
      id: session,
      userId: user,
      secretHash: newId(),
      remembered: 0,
      userAgent: "",
      ipAddress: "",
      now,
      expiresAt: now + minute,
      cameBy: "password",
      factor: null,
    });
    const origin = { address: "203.0.113.7", userAgent: "", requestId: "" };
    const entry = auditEntry(
      { topic: "auth.logged-in", payload: { user_id: user, session_id: session }, by: { actor: "user", origin } },
      now,
    );
    const signedIn = users.seen(user, now);
    await database.batch([signedIn, opened, auditRow({ name: "app" }, entry)], { durable: false });
  }

  return {
    /** Resolves to milliseconds of processor time. */
    logIn: (): Promise<number> =>
      processorMs(async () => {
        for (let done = 0; done < loginsARound; done += 1) await logInOnce(systemClock.now());
      }),
    close: () => database.close(),
  };
}
