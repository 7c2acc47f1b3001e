import { expect } from "bun:test";
import { createClient, type Answer, type RequestOptions } from "../../support/client.ts";
import { startTarget, type Target, type TargetOptions } from "../../support/target.ts";
import { calm } from "../../support/auth.ts";
import { stage, type Stage } from "../../support/stage.ts";

export const lighthouseSecret = "what-the-operator-knows-0123456789";
export const recording = {
  ...calm,
  LIGHTHOUSE_INSPECT_ENABLED: "true",
  LIGHTHOUSE_SECRET: lighthouseSecret,
} as const;

export interface SeenEvent {
  readonly seq: number;
  readonly offset_ms: number;
  readonly duration_ms: number | null;
  readonly kind: string;
  readonly level: string;
  readonly name: string;
  readonly message: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}
export interface SeenInspect {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly source: string;
  readonly name: string;
  readonly status: string;
  readonly failed: boolean;
  readonly started_at: string;
  readonly reason: string | null;
  readonly user_ids: readonly string[];
  readonly duration_ms: number;
  readonly app: string;
  readonly instance: string;
  readonly labels: Readonly<Record<string, string | number | null>>;
  readonly event_count: number;
  readonly events_dropped: number;
  readonly events: readonly SeenEvent[];
}

const isList = (value: unknown): value is { readonly inspects: readonly SeenInspect[] } =>
  typeof value === "object" && value !== null && "inspects" in value && Array.isArray(value.inspects);
const isOne = (value: unknown): value is { readonly inspect: SeenInspect } =>
  typeof value === "object" && value !== null && "inspect" in value;

export const asOperator: RequestOptions = { headers: { authorization: `Bearer ${lighthouseSecret}` } };

/** Reads the JSON API as an operator does. */
export function createOperator(url: string) {
  const client = createClient(url);
  const ask = (path: string): Promise<Answer> => client.get(`/lighthouse/api${path}`, asOperator);

  async function list(query: string): Promise<readonly SeenInspect[]> {
    const { json, text } = await ask(`/inspects?${query}`);
    if (!isList(json)) throw new Error(text);
    return json.inspects;
  }
  async function one(id: string): Promise<SeenInspect> {
    const { json, text } = await ask(`/inspects/${id}`);
    if (!isOne(json)) throw new Error(text);
    return json.inspect;
  }

  return {
    ask,
    list,
    one,

    /** Waits for a record that fits, since records are written after the answers. Resolves to the whole of the latest. */
    async find(query: string, fits: (inspect: SeenInspect) => boolean = () => true): Promise<SeenInspect> {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const found = (await list(query)).find(fits);
        if (found !== undefined) return one(found.id);
        if (performance.now() > deadline) throw new Error(`nothing was recorded that fits ${query}`);
        await Bun.sleep(20);
      }
    },

    /** Waits until that many records fit. */
    async atLeast(count: number, query: string): Promise<readonly SeenInspect[]> {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const found = await list(query);
        if (found.length >= count) return found;
        if (performance.now() > deadline) throw new Error(`${found.length} of ${count} were recorded for ${query}`);
        await Bun.sleep(20);
      }
    },
  };
}

export type Operator = ReturnType<typeof createOperator>;

/** Starts a target that records, with an operator who reads the records. */
export async function startRecording(
  options: TargetOptions = {},
): Promise<{ readonly target: Target; readonly operator: Operator }> {
  const target = await startTarget({ ...options, env: { ...recording, ...options.env } });
  return { target, operator: createOperator(target.url) };
}

/** Starts a recording target for the tests of a file, with its rows, its mailbox and its people. */
export async function stageRecording(
  env: Readonly<Record<string, string>> = {},
): Promise<Stage & { readonly operator: Operator }> {
  const staged = await stage({ env: { ...recording, ...env } });
  return { ...staged, operator: createOperator(staged.target.url) };
}

export const kinds = ({ events }: SeenInspect): readonly string[] => events.map(({ kind }) => kind);

/** Returns the event of that kind and name. Fails without such an event. */
export function eventOf({ events }: SeenInspect, kind: string, name?: string): SeenEvent {
  const found = events.find((event) => event.kind === kind && (name === undefined || event.name === name));
  expect(found, `no ${kind} ${name ?? ""} among ${JSON.stringify(events)}`).toBeDefined();
  if (found === undefined) throw new Error("unreachable");
  return found;
}
