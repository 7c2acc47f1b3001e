import { t } from "elysia";
import { errorResponses } from "../http/index.ts";
import { providerNames } from "./providers.ts";

/** Of every route of a provider. */
export const providerParams = t.Object({ provider: t.String({ documented: { enum: providerNames } }) });
/** A provider that is not configured is one that the service does not know. */
export const absent = errorResponses("not_found");
