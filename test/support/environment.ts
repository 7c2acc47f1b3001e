import { join } from "node:path";

/** Returns the environment of every process under test: nothing of the developer's own, and data in the test's folder. */
export const testEnvironment = (folder: string): Record<string, string> => ({
  APP_ENV: "testing",
  APP_DRAIN_DELAY: "0",
  APP_LOG_FORMAT: "json",
  APP_KEY: "application-key-of-the-tests-0123456789",
  APP_DIAG_TOKEN: "diagnostic-token-of-the-tests-0123456789",
  API_JWT_SECRET_KEY: "signing-key-of-the-tests-0123456789abcdefgh",
  API_HTTP_PORT: "0",
  METRICS_JOBS_PORT: "0",
  METRICS_SCHEDULER_PORT: "0",
  DB_DATABASE: join(folder, "data", "app.db"),
  STORAGE_PATH: join(folder, "data", "storage"),
  MAIL_DRIVER: "log",
});
