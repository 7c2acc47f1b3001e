import { afterAll, beforeAll } from "bun:test";
import { browserWith, secretsOf, type Person } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import type { Stage } from "../../support/stage.ts";
import { startDoorway, type Doorway } from "./hostile.gatehouse.ts";

/** The origin of pages that may act, though they are not the app's. */
export const pages = "https://pages.example.test";
/** Where browsers find Gatehouse. */
export const publicUrl = "https://auth.example.test";
export const resource = "https://api.example.test/v1";

export interface GatedSettings {
  /** Where the app finds Gatehouse. */
  readonly gatehouse: string;
  readonly publicUrl: string;
  readonly origin: string;
  /** The address by which programs know the app, where they do. */
  readonly resource?: string;
  readonly timeoutMs: number;
  /** Whether nothing is answered to strangers, not even what is open to everybody. */
  readonly isClosed: boolean;
}

export interface GatedApp {
  readonly url: string;
  stop(): Promise<void>;
  /** Returns what the app has said on its standard error so far. */
  complaints(): string;
}

export interface Suite extends Pick<Stage, "target" | "rows" | "people" | "mailbox"> {
  readonly doorway: () => Doorway;
  /** The app that is open to strangers, and the one that is not, which programs know as a resource and which waits for a second at most. */
  readonly open: () => string;
  readonly closed: () => string;
  /** Returns what the closed app has said on its standard error so far. */
  readonly complaints: () => string;
  readonly stranger: () => Client;
  /** Returns a browser of the person at an app: the open one unless another is named. */
  readonly browserOf: (person: Pick<Person, "client">, url?: string) => Client;
  readonly give: (person: Person, roles: string) => void;
}

const startLimitMs = 120_000;

/** Starts what the tests of a gate share. */
export function startSuite(stage: Stage, start: (settings: GatedSettings) => Promise<GatedApp>): Suite {
  const { target, rows, people, mailbox } = stage;
  const common = { publicUrl, origin: pages };
  const apps: GatedApp[] = [];
  let doorway: Doorway | undefined;
  beforeAll(async () => {
    doorway = await startDoorway(target.port);
    const gatehouse = doorway.url;
    apps.push(await start({ ...common, gatehouse, timeoutMs: 20_000, isClosed: false }));
    apps.push(await start({ ...common, gatehouse, resource, timeoutMs: 1_000, isClosed: true }));
  }, startLimitMs);
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await doorway?.stop();
  });
  const [open, closed] = [0, 1].map((index) => () => apps[index]?.url ?? "");
  if (open === undefined || closed === undefined) throw new Error("there are two apps");
  return {
    target,
    rows,
    people,
    mailbox,
    open,
    closed,
    doorway() {
      if (doorway === undefined) throw new Error("the doorway is not there yet");
      return doorway;
    },
    complaints: () => apps[1]?.complaints() ?? "",
    stranger: () => createClient(open()),
    browserOf: ({ client }, url = open()) => browserWith(url, secretsOf(client)),
    give: ({ id }, roles) => void rows.run("update users set roles = ? where id = ?", roles, id),
  };
}

export const refusalOf = (answer: Answer) => ({
  status: answer.status,
  ok: answer.at("ok"),
  code: answer.at("code"),
});
export const unauthorized = { status: 401, ok: false, code: "unauthorized" };
export const forbidden = { status: 403, ok: false, code: "forbidden" };
export const unavailable = { status: 503, ok: false, code: "unavailable" };

/** Whether no cache keeps the answer. */
export const isUncached = ({ headers }: Answer): boolean =>
  (headers.get("cache-control") ?? "").split(/, */).includes("no-store");

let count = 0;
/** Returns a number that no other test has: several gates may be tried with one Gatehouse. */
export const fresh = (): number => (count += 1);
