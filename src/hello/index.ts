import { Elysia, t } from "elysia";
import type { Guard } from "../auth/index.ts";
import { operation, grouped } from "../http/index.ts";

/** The protected sample route: what an application behind the guard looks like. */
export const helloRoutes = (guard: Guard) =>
  new Elysia({ prefix: "/api/v1", ...grouped("Sample") })
    .use(guard)
    .get("/hello", ({ session }) => `Hello, ${session.displayName}!`, {
      requireAuth: true,
      response: { 200: t.String() },
      detail: operation("hello", { summary: "A greeting for the signed-in user" }),
    });
