import { timed, type Timeline } from "../../observe/timeline.ts";
import { traceparent } from "../../observe/trace.ts";

interface OutboundRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records a call to another service, by its address without the query, which may hold a secret. The call carries the trace on. */
export const watchCalls =
  <Request extends OutboundRequest, Answer extends { readonly status: number }>(
    send: (url: string, request: Request) => Promise<Answer>,
    timeline: Timeline,
  ): ((url: string, request: Request) => Promise<Answer>) =>
  async (url, request) => {
    const recording = timeline.current();
    if (recording === undefined) return send(url, request);
    const { origin = "", pathname = "" } = URL.parse(url) ?? {};
    const headers = { ...request.headers, traceparent: traceparent(recording.trace()) };
    const call = {
      kind: "http" as const,
      name: request.method,
      attributes: { url: `${origin}${pathname}` },
      describe: ({ status }: Answer) => ({ message: `answered ${status}`, attributes: { status } }),
    };
    return timed(timeline, recording, call, () => send(url, { ...request, headers }));
  };
