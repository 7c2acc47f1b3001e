import { choice, flag, integer } from "./kinds/kinds.ts";
import { nameServers } from "./kinds/name.servers.ts";
import { variablesOf, type Section } from "./kinds/variable.ts";

const organizations = variablesOf("Organizations");

export const organizationVariables = {
  enabled: organizations("ORGANIZATIONS_ENABLED", flag, {
    fallback: "false",
    description:
      "Whether people belong to organizations: members with roles, invitations, and one that a session acts for",
  }),
  creation: organizations("ORGANIZATIONS_CREATION", choice("anyone", "staff"), {
    fallback: "anyone",
    description: "Who makes them: anyone who is signed in, or staff, operators and services alone",
  }),
  maxPerPerson: organizations("ORGANIZATIONS_MAX_PER_PERSON", integer(1, 1_000), {
    fallback: "100",
    description: "How many organizations a person can be in",
  }),
  maxMembers: organizations("ORGANIZATIONS_MAX_MEMBERS", integer(1, 10_000_000), {
    fallback: "100000",
    description: "How many members an organization can have",
  }),
  invitationsPerDay: organizations("ORGANIZATIONS_INVITATIONS_PER_DAY", integer(1, 100_000), {
    fallback: "500",
    description: "How many people an organization can invite in a day, and one person in all of theirs",
  }),
  dnsServers: organizations("ORGANIZATIONS_DNS_SERVERS", nameServers, {
    fallback: "",
    description:
      "Servers of names, address or address:port, comma-separated, that are asked for the proof of a domain. Those of the system",
  }),
} as const satisfies Section;
