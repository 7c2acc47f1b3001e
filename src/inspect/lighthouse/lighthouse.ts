import { Elysia } from "elysia";
import { secretValues, type Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { isId } from "../../core/ids.ts";
import { hidden } from "../../http/index.ts";
import type { RequestFacts } from "../../http/index.ts";
import type { Brand } from "../../http/pages/brand/brand.ts";
import { assetRoutes } from "../../http/pages/style/assets.ts";
import type { Log } from "../../observe/index.ts";
import type { InspectReader } from "../record/store.ts";
import { createAnswers } from "./answers.ts";
import { inspectApi } from "./api.ts";
import { lighthouseLook, scriptAsset, styleAsset } from "../pages/assets.ts";
import { InspectPage } from "../pages/inspect.page.tsx";
import { InspectsPage } from "../pages/inspects.page.tsx";
import { createOperators } from "./operator.ts";
import { RuntimePage } from "../pages/runtime.page.tsx";
import { createRuntime, type RuntimeSources } from "./runtime.service.ts";
import { readSearch } from "./search.ts";

interface LighthouseOptions {
  readonly config: Config;
  readonly facts: RequestFacts;
  readonly brand: Pick<Brand, "look" | "palette" | "theme">;
  readonly inspects: InspectReader | undefined;
  readonly sources: RuntimeSources;
  readonly clock: Clock;
  readonly log: Log;
}

const root = "/lighthouse";
/** The most inspects of one trace that a page lists. */
const sameTrace = 50;

/** Whether a path takes a form. Paths of pages do, while the API takes JSON. */
export const takesForm = (path: string): boolean => path.startsWith(`${root}/`) && !path.startsWith(`${root}/api/`);

/** Adds the pages for operators at /lighthouse, and their API. Both stay up in maintenance, and as far as possible without a database. */
export function lighthouseRoutes({ config, facts, brand, inspects, sources, clock, log }: LighthouseOptions) {
  const operators = createOperators({ config, facts, clock, log });
  const answers = createAnswers({ config, look: lighthouseLook(brand), operators, log });
  const runtime = createRuntime({ config, sources, secrets: secretValues(config), clock });

  /** Tries a failed job again. Throws `not_found` where no failed job has the id. */
  async function retry(request: Request, id: string): Promise<void> {
    if (!isId(id) || !(await sources.deadLetters.retry(id))) throw new AppError("not_found");
    log.info("a failed job is tried again", { job_id: id, address: facts.clientAddress(request) });
  }

  return new Elysia({ name: "lighthouse" })
    .get(
      root,
      ({ request, set }) =>
        answers.page(request, set, async (context, fields) => {
          const search = readSearch(fields);
          return InspectsPage({ context, search, found: await inspects?.search(search), apps: inspects?.apps ?? [] });
        }),
      hidden,
    )
    .get(
      `${root}/inspects/:id`,
      ({ request, set, params }) =>
        answers.page(request, set, async (context) => {
          const inspect = await inspects?.find(params.id);
          if (inspect === undefined) throw new AppError("not_found");
          const trace = await inspects?.search({ traceId: inspect.trace_id, limit: sameTrace });
          return InspectPage({ context, inspect, trace: trace?.inspects ?? [], apps: inspects?.apps ?? [] });
        }),
      hidden,
    )
    .get(
      `${root}/runtime`,
      ({ request, set }) =>
        answers.page(request, set, async (context) => RuntimePage({ context, runtime: await runtime() })),
      hidden,
    )
    .get(`${root}/sign-in`, ({ request, set }) => answers.signInForm(request, set), hidden)
    .post(`${root}/sign-in`, ({ body, request, set }) => answers.signIn(request, set, body), hidden)
    .post(
      `${root}/sign-out`,
      ({ body, request, set }) => answers.form(request, set, body, () => answers.signOut(request, set)),
      hidden,
    )
    .post(
      `${root}/jobs/:id/retry`,
      ({ body, request, set, params }) =>
        answers.form(request, set, body, async () => {
          await retry(request, params.id);
          return `${root}/runtime#failed-jobs`;
        }),
      hidden,
    )
    .use(assetRoutes("lighthouse/assets", [styleAsset, scriptAsset]))
    .use(inspectApi({ app: config.app.name, version: sources.build.version, operators, inspects, runtime, retry }));
}
