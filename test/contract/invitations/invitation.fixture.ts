import { expect } from "bun:test";
import { main } from "../../support/definitions.ts";
