/** How many requests of one turn of the event loop are answered whoever sends them. */
const freeInTurn = 64;
/** A turn that accepts connections without an end must not fill the memory. */
const mostConnections = 4_096;

/**
 * Finds the requests that a connection has sent ahead of their answers (pipelining, RFC 9112 §9.3.2). The runtime reads half a megabyte at
 * a time and hands over every request in it before it looks at another connection: fifty connections that send nothing but requests
 * keep everybody else waiting for seconds. A connection that waits for its answers has one request in a turn of the event loop. In a turn
 * that is busy, the second request of a connection is one too many. In any other nobody is asked who they are, which costs as much
 * as a twentieth of an answer.
 */
export function createPipelineLimit(connectionOf: (request: Request) => string | undefined) {
  const seen = new Set<string>();
  let inTurn = 0;
  const endTurn = (): void => {
    inTurn = 0;
    seen.clear();
  };

  return {
    /** To be asked once for each request, as it arrives. */
    isExcess(request: Request): boolean {
      inTurn += 1;
      if (inTurn === 1) setImmediate(endTurn);
      if (inTurn <= freeInTurn) return false;
      const connection = connectionOf(request);
      if (connection === undefined) return false;
      if (seen.has(connection)) return true;
      if (seen.size < mostConnections) seen.add(connection);
      return false;
    },
  };
}
