import { sessionFlaws, type SessionFlaw } from "../../../src/core/flaws.ts";
import { auth, browserWith, createPeople, secretsOf } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import type { Answer, Client } from "../../support/client.ts";
import type { Target } from "../../support/target.ts";

const hello = "/api/v1/hello";

/** Sends a request that the service refuses for that reason. Its user agent tells it from all others. */
export type Provoke = (reason: SessionFlaw) => Promise<{ readonly answer: Answer; readonly agent: string }>;

export const everyReason = sessionFlaws;

export function provoker(target: Target, people = createPeople(target.url)): Provoke {
  let turn = 0;

  /** Resolves to a browser whose only session has been changed by the statement. */
  async function changed(sql: string): Promise<Client> {
    const ada = await people.register("ada");
    const rows = openRows(target.databasePath);
    rows.run(sql, ada.id);
    rows.close();
    return ada.client;
  }
  /** Resolves to a browser with a refresh token that has been replaced. */
  async function outdated(): Promise<Client> {
    const ada = await people.register("ada");
    const { refresh } = secretsOf(ada.client);
    await ada.client.post(auth("refresh"));
    return browserWith(target.url, { refresh });
  }
  const ask = async (client: Client, agent: string) => client.get(hello, { headers: { "user-agent": agent } });
  const refresh = async (client: Client, agent: string) =>
    client.post(auth("refresh"), undefined, { headers: { "user-agent": agent } });

  const ways: Readonly<Record<SessionFlaw, (agent: string) => Promise<Answer>>> = {
    missing_access_cookie: (agent) => ask(browserWith(target.url, {}), agent),
    invalid_access_token: (agent) => ask(browserWith(target.url, { access: "not.a.token" }), agent),
    missing_refresh_cookie: (agent) => refresh(browserWith(target.url, {}), agent),
    invalid_refresh_token: (agent) => ask(browserWith(target.url, { refresh: "made up" }), agent),
    async refresh_hash_mismatch(agent) {
      const browser = await outdated();
      const rows = openRows(target.databasePath);
      rows.run("update auth_sessions set rotated_at = rotated_at - 60000");
      rows.close();
      return ask(browser, agent);
    },
    refresh_hash_mismatch_grace: async (agent) => refresh(await outdated(), agent),
    session_not_found: async (agent) => ask(await changed("delete from auth_sessions where user_id = ?"), agent),
    session_revoked: async (agent) =>
      ask(await changed("update auth_sessions set revoked_at = created_at where user_id = ?"), agent),
    async refresh_reused(agent) {
      const ada = await people.register("ada");
      const stolen = browserWith(target.url, secretsOf(ada.client));
      await ada.client.post(auth("refresh"));
      const rows = openRows(target.databasePath);
      rows.run("update auth_sessions set rotated_at = rotated_at - 60000 where user_id = ?", ada.id);
      rows.close();
      await stolen.post(auth("refresh"));
      return ask(ada.client, agent);
    },
    session_expired: async (agent) =>
      ask(await changed("update auth_sessions set expires_at = created_at where user_id = ?"), agent),
    session_idle_expired: async (agent) =>
      ask(await changed("update auth_sessions set last_seen_at = 1 where user_id = ?"), agent),
    user_inactive: async (agent) => ask(await changed("update users set active = 0 where id = ?"), agent),
  };

  return async (reason) => {
    turn += 1;
    const agent = `provokes ${reason} ${turn}`;
    return { answer: await ways[reason](agent), agent };
  };
}
