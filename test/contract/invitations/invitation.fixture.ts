import { auth } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { approve, deliver } from "../../support/oauth/journey.ts";
import type { StandIn } from "../../support/oauth/provider.ts";
import { noteSecret } from "../../support/seen.ts";
import type { Stage } from "../../support/stage.ts";
import { serviceKit } from "../backend/service.fixture.ts";

export const password = "a long walk by the sea";

/** Where an invitation is accepted with a provider. */
export const startPath = (provider: StandIn): string => auth(`oauth/${provider.name}/invitation/start`);

/** Accepts with a provider, as the page does. Resolves to the answer of the callback. */
export async function acceptWith(
  provider: StandIn,
  account: string,
  token: string,
  client: Client,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const started = await client.post(startPath(provider), { token, next: "/account" });
  if (started.status !== 200) return started;
  const authorization = new URL(started.textAt("location"));
  if (authorization.href.includes(token)) throw new Error("the token is in an address");
  return deliver(client, await approve(provider, authorization, account), { headers });
}

/** Invites people to a stage through a service, which needs no process for each invitation, and accepts as people do. */
export async function invitationKit({ target, mailbox }: Pick<Stage, "target" | "mailbox">) {
  const services = serviceKit(target);
  const secret = await services.create("crm", "users:read,users:write,users:roles");
  const headers = { authorization: `Bearer ${secret}` };
  const crm = createClient(target.url);
  let count = 0;

  const invite = (email: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    crm.post("/api/v1/users/invite", { email, ...fields }, { headers });

  /** Resolves to the token in the next invitation to that address, in either language. Passes over other mails. */
  async function tokenTo(email: string): Promise<string> {
    let { text } = await mailbox.next(email);
    while (!text.includes("/accept-invitation?")) ({ text } = await mailbox.next(email));
    const token = /\/accept-invitation\?token=([\w-]{43})/.exec(text)?.[1];
    if (token === undefined) throw new Error(`no link in ${text}`);
    noteSecret(target.url, token);
    return token;
  }

  return {
    run: services.run,
    /** Makes another service. Resolves to a function that invites in its name. */
    async inviterOf(name: string, scope: string) {
      const own = { authorization: `Bearer ${await services.create(name, scope)}` };
      return (email: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
        crm.post("/api/v1/users/invite", { email, ...fields }, { headers: own });
    },
    invite,
    /** Makes an account, as a service. */
    make: (email: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
      crm.post("/api/v1/users", { email, ...fields }, { headers }),
    tokenTo,
    withdraw: (id: string): Promise<Answer> =>
      crm.post(`/api/v1/users/invitations/${id}/withdraw`, undefined, { headers }),
    list: (query = ""): Promise<Answer> => crm.get(`/api/v1/users/invitations${query}`, { headers }),

    /** Returns a new address, which nobody has yet. */
    address(name: string): string {
      count += 1;
      return `${name}.${count}@invited.test`;
    },

    /** Invites, and resolves to the token of the mail. */
    async invited(email: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const answer = await invite(email, fields);
      if (answer.status !== 200) throw new Error(`${email} could not be invited: ${answer.text}`);
      return tokenTo(email);
    },

    show: (token: string, browser: Client = createClient(target.url)): Promise<Answer> =>
      browser.post(auth("invitation"), { token }),
    accept: (
      token: string,
      fields: Readonly<Record<string, unknown>> = { password },
      browser: Client = createClient(target.url),
    ): Promise<Answer> => browser.post(auth("invitation/accept"), { token, ...fields }),
  };
}
