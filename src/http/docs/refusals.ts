import { errors, isErrorCode, type ErrorCode } from "../../core/errors.ts";
import { isApi } from "../routing/routing.ts";
import { ErrorBody } from "../response/envelope.ts";
import { isJson, type Json, type Schemas } from "./schema.ts";

interface RefusedRoute {
  readonly method: string;
  readonly path: string;
  readonly isGuarded: boolean;
}

/** Refusals that a route may answer with no matter what it does itself. */
function ordinaryRefusals({ method, path, isGuarded }: RefusedRoute): ErrorCode[] {
  return [
    ...(method === "GET"
      ? []
      : (["invalid_payload", "cross_site_request", "payload_too_large", "unsupported_media_type"] as const)),
    ...(isGuarded ? (["unauthorized", "mfa_setup_required", "impersonated", "denied_by_hook"] as const) : []),
    ...(isApi(path) ? (["unavailable", "maintenance", "maintenance_unknown"] as const) : []),
    "headers_too_large",
    "uri_too_long",
    "internal_error",
  ];
}

/** Status → code: the refusals that the route's own schemas name by `errorResponses`. */
const ownRefusals = (responses: Json): [status: number, code: ErrorCode][] =>
  Object.entries(responses).flatMap(([status, schema]) => {
    const codes = isJson(schema) && Array.isArray(schema["codes"]) ? schema["codes"] : [];
    return codes
      .map(String)
      .filter(isErrorCode)
      .map((code) => [Number(status), code] satisfies [number, ErrorCode]);
  });

/** The most codes in the name of a component: longer names are no help. */
const mostCodesInName = 3;
const pascal = (text: string): string =>
  text.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const sentTooSoon = new Set([423, 429, 503]);
const retryAfter = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
const requestId = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

/** Statuses by which the runtime refuses what it can't read as a request, before this service sees it: without a body and headers. */
const ofRuntime = new Set([400, 431]);
const unread = "what is no HTTP request gets it without a body and headers";
const maybeRequestId = { "X-Request-Id": { $ref: "#/components/headers/RequestIdOfRead" } };

/** Writes the refusals, with the closed set of codes of each status. Statuses with the same codes share a component. */
export function createRefusals(schemas: Schemas) {
  const named: Record<string, Json> = {};
  schemas.write(ErrorBody);

  function refer(operationId: string, status: number, codes: readonly ErrorCode[]): Json {
    const name = codes.length > mostCodesInName ? pascal(`${operationId}_${status}`) : codes.map(pascal).join("Or");
    const words = codes.map((code) => `\`${code}\`: ${errors[code][1]}`);
    const isOfRuntime = ofRuntime.has(status);
    const id = isOfRuntime ? maybeRequestId : requestId;
    named[name] ??= {
      description: [...words, ...(isOfRuntime ? [unread] : [])].join("; "),
      headers: sentTooSoon.has(status) ? { ...id, ...retryAfter } : id,
      content: {
        "application/json": {
          schema: schemas.name(name, {
            allOf: [
              { $ref: "#/components/schemas/Error" },
              { type: "object", properties: { code: { type: "string", enum: codes } }, required: ["code"] },
            ],
          }),
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    named,
    /** Returns status → response for everything that a route may refuse. */
    of(operationId: string, route: RefusedRoute, responses: Json): Readonly<Record<string, Json>> {
      const byStatus = new Map<number, Set<ErrorCode>>();
      const ordinary = ordinaryRefusals(route).map((code) => [errors[code][0], code] as const);
      for (const [status, code] of [...ownRefusals(responses), ...ordinary])
        byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
      const refused = Object.fromEntries(
        [...byStatus].map(([status, codes]) => [String(status), refer(operationId, status, [...codes].toSorted())]),
      );
      if ("400" in refused) return refused;
      named["Unread"] ??= { description: unread.replace("it", "this"), headers: maybeRequestId };
      return { ...refused, 400: { $ref: "#/components/responses/Unread" } };
    },
  };
}
