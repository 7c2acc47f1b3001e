import { admissionMutations } from "./admission.ts";
import { deviceMutations } from "./devices.ts";
import { fapiMutations } from "./fapi.ts";
import { gateMutations } from "./gates.ts";
import { keptMutations } from "./kept.ts";
import { maintenanceMutations } from "./maintenance.ts";
import type { Mutation } from "./mutation.ts";
import { newcomerMutations } from "./newcomers.ts";
import { originMutations } from "./origins.ts";
import { peopleMutations } from "./people.ts";
import { organizationMutations } from "./organizations.ts";
import { programMutations } from "./programs.ts";
import { providerMutations } from "./providers.ts";
import { sessionMutations } from "./session.ts";
import { singleUseMutations } from "./single.use.ts";
import { wordMutations } from "./words.ts";

export const mutations: readonly Mutation[] = [
  ...sessionMutations,
  ...admissionMutations,
  ...maintenanceMutations,
  ...originMutations,
  ...peopleMutations,
  ...newcomerMutations,
  ...providerMutations,
  ...programMutations,
  ...fapiMutations,
  ...organizationMutations,
  ...keptMutations,
  ...singleUseMutations,
  ...deviceMutations,
  ...gateMutations,
  ...wordMutations,
];
