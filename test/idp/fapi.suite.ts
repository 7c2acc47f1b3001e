import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** What a module of the plan has found. */
export interface Finding {
  readonly module: string;
  readonly result: string;
  /** Failures and warnings. */
  readonly remarks: readonly string[];
}

const planName = "fapi2-security-profile-final-test-plan";
const variant = {
  fapi_profile: "plain_fapi",
  openid: "openid_connect",
  client_auth_type: "private_key_jwt",
  sender_constrain: "dpop",
  authorization_request_type: "simple",
};
/** The longest module waits until a request is over that was sent ahead. */
const longestMs = 420_000;
const pauseMs = 700;
const callMs = 60_000;

const Plan = Type.Object({
  id: Type.String(),
  modules: Type.Array(Type.Object({ testModule: Type.String(), variant: Type.Optional(Type.Unknown()) })),
});
const Started = Type.Object({ id: Type.String() });
const Info = Type.Object({ status: Type.String(), result: Type.Optional(Type.Union([Type.String(), Type.Null()])) });
const Log = Type.Array(
  Type.Object({
    src: Type.Optional(Type.String()),
    msg: Type.Optional(Type.String()),
    result: Type.Optional(Type.String()),
  }),
);

/** Speaks to a conformance suite of the OpenID Foundation that runs at an address, whose certificate nobody has signed. */
export function createSuite(at: string) {
  async function call<Schema extends TSchema>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
  ): Promise<Static<Schema>> {
    const answer = await fetch(new URL(`/api/${path}`, at), {
      method,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callMs),
      tls: { rejectUnauthorized: false },
    });
    const text = await answer.text();
    const value: unknown = text === "" ? undefined : JSON.parse(text);
    if (!answer.ok || !Value.Check(schema, value))
      throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return value;
  }

  const query = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

  /** Runs a module to its end. */
  async function runModule(plan: string, module: string, own: unknown): Promise<Finding> {
    const named = { test: module, plan, ...(own !== undefined && { variant: JSON.stringify(own) }) };
    const { id } = await call(Started, "POST", `runner?${query(named)}`);
    const until = Date.now() + longestMs;
    let info = await call(Info, "GET", `info/${id}`);
    while (info.status !== "FINISHED" && info.status !== "INTERRUPTED" && Date.now() < until) {
      if (info.status === "CONFIGURED") await call(Type.Unknown(), "POST", `runner/${id}`);
      await Bun.sleep(pauseMs);
      info = await call(Info, "GET", `info/${id}`);
    }
    const log = await call(Log, "GET", `log/${id}`);
    const remarks = log
      .filter(({ result }) => result === "FAILURE" || result === "WARNING")
      .map(({ result, src, msg }) => `${result} ${src}: ${msg?.slice(0, 160)}`);
    return { module, result: info.status === "FINISHED" ? (info.result ?? "UNKNOWN") : info.status, remarks };
  }

  return {
    /** Runs the modules of the plan whose names have a word, one after the other. */
    async run(settings: object, word: string, onFound: (finding: Finding) => void): Promise<readonly Finding[]> {
      const plan = await call(Plan, "POST", `plan?${query({ planName, variant: JSON.stringify(variant) })}`, settings);
      const findings: Finding[] = [];
      for (const { testModule, variant: own } of plan.modules.filter((each) => each.testModule.includes(word))) {
        const finding = await runModule(plan.id, testModule, own);
        onFound(finding);
        findings.push(finding);
      }
      return findings;
    },
  };
}
