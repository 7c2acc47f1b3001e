import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";

export type Value = string | number | null;

/** Data for the thread that asks the server. */
export interface SyncSetup {
  readonly port: MessagePort;
  /** One number: the id of the last question whose answer is on the port. */
  readonly signal: SharedArrayBuffer;
}

export interface SyncQuestion {
  /** Identifies the question: a late answer to an abandoned one may still come. */
  readonly id: number;
  readonly url: string;
  /** The statement; null asks to close the connection. */
  readonly sql: string | null;
  readonly params: readonly Value[];
}

/** The result of a statement. The caller names the type of the rows; `never` is assignable to each such type. */
export interface Changed {
  readonly rows: never[];
  readonly changes: number;
}

export type SyncAnswer = { readonly id: number } & (Changed | { readonly error: string });

const answerLimitMs = 60_000;

/** Asks the server, and blocks the whole thread until it has answered. */
export type AskSync = (question: Omit<SyncQuestion, "id">) => Changed;

/** Starts a thread with its own connections, for tests that read rows without a promise. It ends with the process. */
export function startAsking(): AskSync {
  const signal = new SharedArrayBuffer(4);
  const flag = new Int32Array(signal);
  const { port1: port, port2: theirs } = new MessageChannel();
  const setup: SyncSetup = { port: theirs, signal };
  const worker = new Worker(new URL("./postgres.sync.worker.ts", import.meta.url), {
    workerData: setup,
    transferList: [theirs],
  });
  worker.unref();
  port.unref();
  let asked = 0;
  return (question) => {
    const id = (asked += 1);
    const deadline = performance.now() + answerLimitMs;
    port.postMessage({ ...question, id });
    for (;;) {
      const received: { readonly message: SyncAnswer } | undefined = receiveMessageOnPort(port);
      if (received === undefined) {
        const seen = Atomics.load(flag, 0);
        if (performance.now() > deadline) throw new Error(`no answer to ${question.sql}`);
        if (seen === id) continue;
        Atomics.wait(flag, 0, seen, deadline - performance.now());
        continue;
      }
      const { message } = received;
      if (message.id !== id) continue;
      if ("error" in message) throw new Error(`${message.error}: ${question.sql}`);
      return message;
    }
  };
}
