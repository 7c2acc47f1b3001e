import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";
import { fencedBlocks } from "../../support/markdown.ts";
import { postgresMissing, startPostgres, type Postgres } from "../../support/postgres.ts";
import { runGatehouse } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

const folder = sharedFolder();

endTargetsAfterEach();
