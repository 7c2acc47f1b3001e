import { Elysia } from "elysia";

// The baseline for `GET /api/v1/hello`: the same text from a bare Elysia route.
const text = Bun.env["BENCH_TEXT"] ?? "Hello!";
const app = new Elysia()
  .get("/api/v1/hello", () => text)
  .listen({ hostname: "127.0.0.1", port: Number(Bun.env["PORT"]) });
console.log(`listening on ${app.server?.port}`);
