import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { registerCommands } from "../../src/cli/table.ts";
import type { JobHandler } from "../../src/core/job.ts";
import { registerJobs, routeJobs, type Module, type NamedModule } from "../../src/core/module.ts";
import { checkRoutes } from "../../src/http/index.ts";

// A bad or duplicate name stops the start. The tests for topics are in test/drivers, for schedules in test/unit/scheduler.test.ts, and for
// named resources in test/unit/resources.test.ts.
const handler: JobHandler = async () => {};

describe("jobs", () => {
  const register = (...modules: Module<unknown>[]) => registerJobs(modules, new Map());

  test("of all modules get together", () => {
    const handlers = new Map<string, JobHandler>();
    registerJobs(
      [{ jobs: { "auth:greet": handler } }, { jobs: { "reports:sync": handler, syncreports: handler } }],
      handlers,
    );
    expect([...handlers.keys()]).toEqual(["auth:greet", "reports:sync", "syncreports"]);
  });

  test("with a bad name, or one that another module has, stop the start", () => {
    expect(() => register({ jobs: { "Auth:greet": handler } })).toThrow('job name "Auth:greet" does not match');
    expect(() => register({ jobs: { "auth:greet": handler } }, { jobs: { "auth:greet": handler } })).toThrow(
      'job name "auth:greet" is registered twice',
    );
  });
});

describe("commands", () => {
  const entry = { summary: "Greet", load: () => Promise.reject(new Error("not loaded")) };

  test("with a bad or duplicate name stop the start", () => {
    expect([...registerCommands([["greet:ada", entry]]).keys()]).toEqual(["greet:ada"]);
    expect(() => registerCommands([["greet_ada", entry]])).toThrow('command name "greet_ada" does not match');
    expect(() =>
      registerCommands([
        ["greet", entry],
        ["greet", entry],
      ]),
    ).toThrow('command name "greet" is registered twice');
  });
});

describe("routes", () => {
  const check = (app: { readonly routes: readonly { method: string; path: string }[] }) => () =>
    checkRoutes(app.routes);

  test("with bounded parameters are accepted, one path for several methods too", () => {
    const app = new Elysia()
      .get("/users/:user_id", () => "")
      .post("/users/:user_id", () => "")
      .get("/users/:user_id/letters/:id", () => "")
      .get("/assets/*", () => "");
    expect(check(app)).not.toThrow();
  });

  test("with a bad parameter stop the start", () => {
    for (const name of ["userId", "user-id", "id?"]) {
      expect(check(new Elysia().get(`/users/:${name}`, () => ""))).toThrow(
        `route GET /users/:${name}: parameter name "${name}" does not match`,
      );
    }
    expect(check(new Elysia().get("/users/:id/letters/:id", () => ""))).toThrow(
      'parameter name "id" is registered twice',
    );
  });

  test("for the same requests stop the start, from whichever plugin and whatever the parameter's name", () => {
    const letters = new Elysia({ prefix: "/letters" }).get("/:id", () => "one");
    const others = new Elysia().get("/letters/:letter_id", () => "another");
    expect(check(new Elysia().use(letters).use(others))).toThrow(
      "route GET /letters/:letter_id is registered twice, as /letters/:id before",
    );
    expect(check(new Elysia().post("/letters", () => "").post("/letters/", () => ""))).toThrow(
      "route POST /letters/ is registered twice",
    );
  });
});

test("a job goes through a queue that is configured, or the start stops", () => {
  const module = (jobQueues: Record<string, string>): NamedModule<unknown> => ({
    name: "notes",
    jobs: { "notes:file": async () => {} },
    jobQueues,
  });
  const routes = new Map<string, string>();
  const route = (jobQueues: Record<string, string>) =>
    routeJobs([module(jobQueues)], routes, new Set(["default", "mails"]));
  route({ "notes:file": "mails" });
  expect([...routes]).toEqual([["notes:file", "mails"]]);
  expect(() => route({ "notes:file": "slow" })).toThrow("set QUEUE_SLOW_DRIVER");
  expect(() => route({ "notes:tear": "mails" })).toThrow("not its own");
});
