import { randomToken } from "../../core/crypto.ts";

const wellFormedId = /^[A-Za-z0-9._-]{1,128}$/;

/** The ids of requests, each the caller's own where that is well-formed, so that a trace can cross services. */
export function createRequestIds() {
  const ids = new WeakMap<Request, string>();
  // The random half makes an id unique across processes; counting is far cheaper than a UUID for every request.
  const prefix = `${randomToken().slice(0, 16)}-`;
  let issued = 0;

  function newId(request: Request): string {
    const inbound = request.headers.get("x-request-id");
    return inbound !== null && wellFormedId.test(inbound) ? inbound : prefix + (issued += 1).toString(36);
  }

  function requestId(request: Request): string {
    const known = ids.get(request);
    if (known !== undefined) return known;
    const id = newId(request);
    ids.set(request, id);
    return id;
  }

  return {
    requestId,

    /** For the answer that is ready: most requests have not been asked for their id by then, and it need not be kept. */
    finalRequestId: (request: Request): string => ids.get(request) ?? newId(request),

    /** Gives `request` the id of `original`, for which it stands in. */
    shareId: (request: Request, original: Request): void => void ids.set(request, requestId(original)),
  };
}
