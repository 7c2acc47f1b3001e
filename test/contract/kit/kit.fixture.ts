import { createAuthenticator } from "../../support/authenticator.ts";
import type { Answer } from "../../support/client.ts";
import { createPageVisitor, hiddenFields, type PageVisitor } from "../../support/staff.ts";
import type { Stage } from "../../support/stage.ts";

/** Settings of the app with the pages that its server writes. */
export const serverKit = { FRONTEND_KIT: "server" } as const;

export const password = "a long walk by the sea";

/** Where an answer leads. */
export const location = (answer: Answer): string => answer.headers.get("location") ?? "";

export interface Inhabitant {
  readonly email: string;
  readonly password: string;
  readonly visitor: PageVisitor;
}

/** Makes people through the pages, under unique names. */
export function createInhabitants({ target }: Pick<Stage, "target">) {
  let count = 0;
  return {
    /** Registers somebody, who is signed in then. */
    async register(name: string, fields: Readonly<Record<string, string>> = {}): Promise<Inhabitant> {
      count += 1;
      const email = `${name}${count}@example.test`;
      const visitor = createPageVisitor(target.url);
      const answer = await visitor.submit("/register", { email, password, display_name: name, ...fields });
      if (answer.status !== 303) throw new Error(`${email} could not register: ${answer.status}`);
      return { email, password, visitor };
    },

    /** Signs somebody in with another browser. */
    async login({ email, password: typed }: Pick<Inhabitant, "email" | "password">): Promise<PageVisitor> {
      const visitor = createPageVisitor(target.url);
      const answer = await visitor.submit("/login", { login: email, password: typed });
      if (answer.status !== 303) throw new Error(`${email} could not sign in: ${answer.status}`);
      return visitor;
    },
  };
}

/** Returns the path and query of the next mailed link to that path. Passes over mails without one. */
export async function mailedPath({ mailbox }: Pick<Stage, "mailbox">, to: string, path: string): Promise<string> {
  for (;;) {
    const { text } = await mailbox.next(to);
    const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url));
    const link = links.find(({ pathname }) => pathname === path);
    if (link !== undefined) return `${link.pathname}${link.search}`;
  }
}

/** Makes a passkey on a page of that origin, and adds it by the pages of a second step, as their script does. */
export async function addPasskey(visitor: PageVisitor, twoStepPath: string, origin: string): Promise<Answer> {
  const { text } = await visitor.submit(twoStepPath, {}, `${twoStepPath}/passkeys`);
  const options: unknown = JSON.parse((/data-options="([^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&quot;", '"'));
  const credential = JSON.stringify(await (await createAuthenticator(origin)).create(options));
  const action = `${twoStepPath}/passkeys/add`;
  return visitor.send(action, { ...hiddenFields(text, action), name: "Key", credential });
}
