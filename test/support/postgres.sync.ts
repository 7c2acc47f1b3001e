import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";

export type Value = string | number | null;

/** What the thread that asks the server is made with. */
export interface SyncSetup {
  readonly port: MessagePort;
  /** One number, which goes from 0 to 1 as the answer is on the port. */
  readonly signal: SharedArrayBuffer;
}

export interface SyncQuestion {
  readonly url: string;
  /** Null asks to close the connection. */
  readonly sql: string | null;
  readonly params: readonly Value[];
}

/** The caller names the type of the rows; `never` is assignable to each such type. */
export interface Changed {
  readonly rows: never[];
  readonly changes: number;
}

export type SyncAnswer = Changed | { readonly error: string };

const answerLimitMs = 30_000;

/** Asks the server, and holds the whole thread until it has answered. */
export type AskSync = (question: SyncQuestion) => Changed;

/** A thread with connections of its own, for tests that read rows without a promise. It ends with the process. */
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
  return (question) => {
    Atomics.store(flag, 0, 0);
    port.postMessage(question);
    if (Atomics.wait(flag, 0, 0, answerLimitMs) === "timed-out") throw new Error(`no answer to ${question.sql}`);
    const received: { readonly message: SyncAnswer } | undefined = receiveMessageOnPort(port);
    if (received === undefined) throw new Error(`an empty answer to ${question.sql}`);
    const { message } = received;
    if ("error" in message) throw new Error(`${message.error}: ${question.sql}`);
    return message;
  };
}
