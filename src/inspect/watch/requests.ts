import type { AppError } from "../../core/errors.ts";
import type { Declined, RequestFacts, RequestWatch } from "../../http/index.ts";
import { createRouteFinder, pathOf } from "../../http/index.ts";
import type { Timeline } from "../../observe/timeline.ts";
import { traceOf } from "../../observe/trace.ts";
import type { Recorder } from "../record/recorder.ts";

interface RequestOptions {
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  readonly facts: RequestFacts;
  /** Called when the first request has been answered: all routes are mounted by then. */
  readonly routes: () => readonly { readonly path: string }[];
  readonly sampleRate: number;
  readonly random?: () => number;
}

const ownPath = /^(?:https?:\/\/[^/]*)?\/lighthouse(?:[/?]|$)/;
/** Whether the path is a probe. Machines ask for probes every few seconds, so only failures are recorded. */
const isProbe = (path: string): boolean => path.startsWith("/-/") || path === "/metrics";
/** Returns the reason of a failure for which no error was thrown. */
function reasonOf(path: string, status: number): string {
  if (status === 404) return "not_found";
  if (status === 405) return "method_not_allowed";
  return path === "/-/ready" ? "not_ready" : "unexplained";
}

/** Records requests except for Lighthouse's own: its open list sends one every other second. */
export function watchRequests(options: RequestOptions): RequestWatch {
  const { recorder, timeline, facts, sampleRate, random = Math.random } = options;
  let findRoute: ((path: string) => string | undefined) | undefined;

  function end(recording: ReturnType<Timeline["begin"]>, request: Request, { status, headers }: Response): void {
    // A refused request for a page gets a redirect to the page that shows the refusal.
    const failed = status >= 400 || (status >= 300 && recording.refusal !== undefined);
    // A recording ends whether it is kept or not: the later work of a timer is no part of the request.
    if (!recorder.hasRoom(failed)) {
      recording.ended = true;
      return recorder.drop();
    }
    // Labels get only the path: the query may hold a token.
    const path = pathOf(request.url);
    if (!failed && isProbe(path)) {
      recording.ended = true;
      return;
    }
    findRoute ??= createRouteFinder(options.routes());
    const { refusal } = recording;
    // Everything is read before the answer leaves: a request that is over has neither headers nor an address.
    recording.trace();
    recorder.end(recording, {
      name: `${request.method} ${findRoute(path) ?? "unmatched"}`,
      status: String(status),
      failed,
      reason: failed ? (refusal?.reason ?? reasonOf(path, status)) : undefined,
      labels: {
        path,
        code: failed ? (refusal?.code ?? null) : null,
        request_id: headers.get("x-request-id"),
        address: facts.clientAddress(request),
        user_agent: request.headers.get("user-agent") ?? "",
      },
    });
  }

  return {
    wrap: (handle) => (request) => {
      if (ownPath.test(request.url) || (sampleRate < 1 && random() >= sampleRate)) return handle(request);
      const trace = () => traceOf(request.headers.get("traceparent"));
      const recording = timeline.begin({ source: "http", startedAt: performance.now(), request, trace });
      const answered = timeline.run(recording, handle, request);
      if (answered instanceof Response) {
        end(recording, request, answered);
        return answered;
      }
      return answered.then((response) => {
        end(recording, request, response);
        return response;
      });
    },

    declined({ code, reason, message, program }: Declined): void {
      const recording = timeline.current();
      if (recording === undefined || recording.refusal !== undefined) return;
      recording.refusal = { code, reason };
      timeline.add(recording, {
        kind: "error",
        level: "info",
        name: reason,
        message,
        attributes: { code, ...(program !== undefined && { program }) },
        startedAt: performance.now(),
        durationMs: undefined,
      });
    },

    refused({ reason, flaw, why, message, detail, status, cause }: AppError): void {
      const recording = timeline.current();
      // The first reason stays: a flow names its reason before the answer, which knows only the code.
      if (recording === undefined || recording.refusal !== undefined) return;
      recording.refusal = { code: reason, reason: flaw ?? why ?? reason };
      timeline.add(recording, {
        kind: "error",
        level: cause === undefined ? "info" : "error",
        name: flaw ?? why ?? reason,
        message,
        attributes: {
          status,
          code: reason,
          ...(detail && { detail }),
          ...(cause === undefined ? {} : { error: cause }),
        },
        startedAt: performance.now(),
        durationMs: undefined,
      });
    },
  };
}
