import { createHash } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { minute } from "../../src/core/clock.ts";
import { startGatehouse } from "./gatehouse.ts";
import type { Ground, Row, Table } from "./ground.ts";
import { openConnection, post } from "./http.connection.ts";
import { argon2Parameters, password, peopleOf, type Population, secret, sessionId, userId } from "./population.ts";
import type { Workspace } from "./workspace.ts";

const agent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const address = "203.0.113.77";
const hex = (text: string): string => createHash("sha256").update(text).digest("hex");
/** Names in no order, as people come. */
const nameOf = (index: number): string => hex(`name ${index}`).slice(0, 12);
const eventId = (index: number): string => `019a${userId(index).slice(4)}`;
export const tables = ["users", "auth_sessions", "audit_events"] as const satisfies readonly Table[];

/** Fills a database with `size` people, each with one session and one sign-in in the audit log. */
export async function fillGround(
  workspace: Workspace,
  ground: Ground,
  size: number,
): Promise<Omit<Population, "path">> {
  const seeds = await seedsOf(workspace, ground);
  const passwordHash = await hash(password, argon2Parameters);
  const now = Date.now();
  const changes = {
    users: (index) => ({
      id: userId(index),
      username: nameOf(index),
      username_key: nameOf(index),
      display_name: nameOf(index),
      display_name_key: nameOf(index),
      email: `${nameOf(index)}@example.com`,
      email_key: `${nameOf(index)}@example.com`,
      email_verified_at: now,
      password_hash: passwordHash,
      created_at: now - size + index,
    }),
    auth_sessions: (index) => ({
      id: sessionId(index),
      user_id: userId(index),
      secret_hash: hex(secret(index)),
      user_agent: agent,
      ip_address: address,
      created_at: now - size + index,
      // So long ago that the next request keeps the time again.
      last_seen_at: now - 10 * minute,
      expires_at: Number(seeds.auth_sessions["expires_at"]) + index,
    }),
    audit_events: (index) => ({
      id: eventId(index),
      at: now - size + index,
      actor_user_id: userId(index),
      subject_user_id: userId(index),
      session_id: sessionId(index),
      user_agent: agent,
      address,
    }),
  } as const satisfies Readonly<Record<Table, (index: number) => Row>>;
  for (const table of tables) {
    await ground.insert(
      table,
      (function* () {
        for (let index = 0; index < size; index += 1) yield { ...seeds[table], ...changes[table](index) };
      })(),
    );
  }
  await ground.settle();
  return peopleOf(size, nameOf);
}

/** Has the service make a row of each kind, so that all others have what it writes. */
async function seedsOf(workspace: Workspace, ground: Ground): Promise<Readonly<Record<Table, Row>>> {
  const server = await startGatehouse(workspace, "gatehouse-seeds", ground.path, { env: ground.env });
  const connection = await openConnection(server.port);
  const ada = { email: "ada@example.org", username: "ada", password };
  for (const [path, body] of [
    ["register", { ...ada, display_name: "Ada" }],
    ["login", { login: ada.username, password }],
  ] as const) {
    const { status } = await connection.send(post(`/api/v1/auth/${path}`, body));
    if (status !== 200 && status !== 201) throw new Error(`${path} answered ${status}`);
  }
  connection.close();
  await server.stop();
  const one = async (sql: string): Promise<Row> => {
    const [row] = await ground.run<Row>(sql);
    if (row === undefined) throw new Error(`no row: ${sql}`);
    return { ...row };
  };
  return {
    users: await one("select * from users limit 1"),
    auth_sessions: await one("select * from auth_sessions order by id desc limit 1"),
    audit_events: await one("select * from audit_events where action = 'auth.logged-in'"),
  };
}
