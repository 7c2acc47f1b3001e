import type { Migration } from "../src/drivers/database/migrate.ts";
import accountsAndSessionsDown from "./0001_accounts_and_sessions.down.sql" with { type: "text" };
import accountsAndSessions from "./0001_accounts_and_sessions.up.sql" with { type: "text" };
import jobsAndSchedulesDown from "./0002_jobs_and_schedules.down.sql" with { type: "text" };
import jobsAndSchedules from "./0002_jobs_and_schedules.up.sql" with { type: "text" };
import cacheDown from "./0003_cache.down.sql" with { type: "text" };
import cache from "./0003_cache.up.sql" with { type: "text" };
import auditDownOnPostgres from "./0004_audit.down.postgres.sql" with { type: "text" };
import auditDown from "./0004_audit.down.sql" with { type: "text" };
import auditOnPostgres from "./0004_audit.up.postgres.sql" with { type: "text" };
import audit from "./0004_audit.up.sql" with { type: "text" };
import attemptFailuresDown from "./0005_attempt_failures.down.sql" with { type: "text" };
import attemptFailures from "./0005_attempt_failures.up.sql" with { type: "text" };
import oauthDown from "./0006_oauth.down.sql" with { type: "text" };
import oauth from "./0006_oauth.up.sql" with { type: "text" };
import jobTraceDown from "./0007_job_trace.down.sql" with { type: "text" };
import jobTrace from "./0007_job_trace.up.sql" with { type: "text" };
import mailDown from "./0008_mail.down.sql" with { type: "text" };
import mail from "./0008_mail.up.sql" with { type: "text" };
import deviceEpochDown from "./0009_device_epoch.down.sql" with { type: "text" };
import deviceEpoch from "./0009_device_epoch.up.sql" with { type: "text" };
import proofsDown from "./0010_proofs.down.sql" with { type: "text" };
import proofs from "./0010_proofs.up.sql" with { type: "text" };
import appsDown from "./0011_apps.down.sql" with { type: "text" };
import apps from "./0011_apps.up.sql" with { type: "text" };
import servicesDown from "./0012_services.down.sql" with { type: "text" };
import services from "./0012_services.up.sql" with { type: "text" };
import peopleDown from "./0013_people.down.sql" with { type: "text" };
import people from "./0013_people.up.sql" with { type: "text" };
import consoleDownOnPostgres from "./0014_console.down.postgres.sql" with { type: "text" };
import consoleDown from "./0014_console.down.sql" with { type: "text" };
import consoleOnPostgres from "./0014_console.up.postgres.sql" with { type: "text" };
import console from "./0014_console.up.sql" with { type: "text" };
import invitationsDown from "./0015_invitations.down.sql" with { type: "text" };
import invitations from "./0015_invitations.up.sql" with { type: "text" };
import mailsDown from "./0016_mails.down.sql" with { type: "text" };
import mails from "./0016_mails.up.sql" with { type: "text" };
import endingsDown from "./0017_endings.down.sql" with { type: "text" };
import endings from "./0017_endings.up.sql" with { type: "text" };
import oldHashesDown from "./0018_old_hashes.down.sql" with { type: "text" };
import oldHashes from "./0018_old_hashes.up.sql" with { type: "text" };
import mailCountsDownOnPostgres from "./0019_mail_counts.down.postgres.sql" with { type: "text" };
import mailCountsDown from "./0019_mail_counts.down.sql" with { type: "text" };
import mailCountsOnPostgres from "./0019_mail_counts.up.postgres.sql" with { type: "text" };
import mailCounts from "./0019_mail_counts.up.sql" with { type: "text" };
import jobNoticesDownOnPostgres from "./0022_job_notices.down.postgres.sql" with { type: "text" };
import jobNoticesDown from "./0022_job_notices.down.sql" with { type: "text" };
import jobNoticesOnPostgres from "./0022_job_notices.up.postgres.sql" with { type: "text" };
import jobNotices from "./0022_job_notices.up.sql" with { type: "text" };
import factorsDown from "./0023_factors.down.sql" with { type: "text" };
import factors from "./0023_factors.up.sql" with { type: "text" };
import passkeysDown from "./0024_passkeys.down.sql" with { type: "text" };
import passkeys from "./0024_passkeys.up.sql" with { type: "text" };
import emailSignInDown from "./0025_email_sign_in.down.sql" with { type: "text" };
import emailSignIn from "./0025_email_sign_in.up.sql" with { type: "text" };
import holdsDown from "./0026_holds.down.sql" with { type: "text" };
import holds from "./0026_holds.up.sql" with { type: "text" };
import grantBrowsersDown from "./0028_grant_browsers.down.sql" with { type: "text" };
import grantBrowsers from "./0028_grant_browsers.up.sql" with { type: "text" };
import metadataDown from "./0029_metadata.down.sql" with { type: "text" };
import metadata from "./0029_metadata.up.sql" with { type: "text" };
import termsDown from "./0030_terms.down.sql" with { type: "text" };
import terms from "./0030_terms.up.sql" with { type: "text" };
import webhookDeliveriesDown from "./0031_webhook_deliveries.down.sql" with { type: "text" };
import webhookDeliveries from "./0031_webhook_deliveries.up.sql" with { type: "text" };
import personalTokensDown from "./0032_personal_tokens.down.sql" with { type: "text" };
import personalTokens from "./0032_personal_tokens.up.sql" with { type: "text" };
import providerDown from "./0033_provider.down.sql" with { type: "text" };
import provider from "./0033_provider.up.sql" with { type: "text" };
import providerEndsDownOnPostgres from "./0034_provider_ends.down.postgres.sql" with { type: "text" };
import providerEndsDown from "./0034_provider_ends.down.sql" with { type: "text" };
import providerEndsOnPostgres from "./0034_provider_ends.up.postgres.sql" with { type: "text" };
import providerEnds from "./0034_provider_ends.up.sql" with { type: "text" };
import organizationDomainsDown from "./0036_organization_domains.down.sql" with { type: "text" };
import organizationDomains from "./0036_organization_domains.up.sql" with { type: "text" };
import supportDown from "./0039_support.down.sql" with { type: "text" };
import support from "./0039_support.up.sql" with { type: "text" };
import organizationsDownOnPostgres from "./0035_organizations.down.postgres.sql" with { type: "text" };
import organizationsDown from "./0035_organizations.down.sql" with { type: "text" };
import organizationsOnPostgres from "./0035_organizations.up.postgres.sql" with { type: "text" };
import organizations from "./0035_organizations.up.sql" with { type: "text" };
import accountCountsDownOnPostgres from "./0037_account_counts.down.postgres.sql" with { type: "text" };
import accountCountsDown from "./0037_account_counts.down.sql" with { type: "text" };
import accountCountsOnPostgres from "./0037_account_counts.up.postgres.sql" with { type: "text" };
import accountCounts from "./0037_account_counts.up.sql" with { type: "text" };
import waysInDownOnPostgres from "./0038_ways_in.down.postgres.sql" with { type: "text" };
import waysInDown from "./0038_ways_in.down.sql" with { type: "text" };
import waysInOnPostgres from "./0038_ways_in.up.postgres.sql" with { type: "text" };
import waysIn from "./0038_ways_in.up.sql" with { type: "text" };
import passwordLengthDown from "./0040_password_length.down.sql" with { type: "text" };
import passwordLength from "./0040_password_length.up.sql" with { type: "text" };
import impersonationDownOnPostgres from "./0041_impersonation.down.postgres.sql" with { type: "text" };
import impersonationDown from "./0041_impersonation.down.sql" with { type: "text" };
import impersonationOnPostgres from "./0041_impersonation.up.postgres.sql" with { type: "text" };
import impersonation from "./0041_impersonation.up.sql" with { type: "text" };
import shortAddressesDown from "./0042_short_addresses.down.sql" with { type: "text" };
import shortAddresses from "./0042_short_addresses.up.sql" with { type: "text" };
import auditSlotsDownOnPostgres from "./0043_audit_slots.down.postgres.sql" with { type: "text" };
import auditSlotsDown from "./0043_audit_slots.down.sql" with { type: "text" };
import auditSlotsOnPostgres from "./0043_audit_slots.up.postgres.sql" with { type: "text" };
import auditSlots from "./0043_audit_slots.up.sql" with { type: "text" };
import cleanupIndexesDown from "./0044_cleanup_indexes.down.sql" with { type: "text" };
import cleanupIndexes from "./0044_cleanup_indexes.up.sql" with { type: "text" };
import sessionsInPlaceDownOnPostgres from "./0045_sessions_in_place.down.postgres.sql" with { type: "text" };
import sessionsInPlaceDown from "./0045_sessions_in_place.down.sql" with { type: "text" };
import sessionsInPlaceOnPostgres from "./0045_sessions_in_place.up.postgres.sql" with { type: "text" };
import sessionsInPlace from "./0045_sessions_in_place.up.sql" with { type: "text" };
import auditPartitionsDownOnPostgres from "./0046_audit_partitions.down.postgres.sql" with { type: "text" };
import auditPartitionsDown from "./0046_audit_partitions.down.sql" with { type: "text" };
import auditPartitionsOnPostgres from "./0046_audit_partitions.up.postgres.sql" with { type: "text" };
import auditPartitions from "./0046_audit_partitions.up.sql" with { type: "text" };
import mailSlotsDownOnPostgres from "./0047_mail_slots.down.postgres.sql" with { type: "text" };
import mailSlotsDown from "./0047_mail_slots.down.sql" with { type: "text" };
import mailSlotsOnPostgres from "./0047_mail_slots.up.postgres.sql" with { type: "text" };
import mailSlots from "./0047_mail_slots.up.sql" with { type: "text" };

/**
 * Append-only: what was released is never edited, reordered or removed. The first line of an `up` says `-- additive`
 * (the previous release runs on it) or `-- breaking`.
 *
 * One text serves both databases where it can. Triggers are written in another way on PostgreSQL, so that a migration which makes one has
 * scripts of its own there. A test holds both schemas against each other.
 *
 * On SQLite a table that others refer to can't be rebuilt by drop and rename: the drop deletes the referring rows
 * (`on delete cascade`). Add columns and tables instead.
 */
export const migrations: readonly Migration[] = [
  { id: "0001_accounts_and_sessions", up: accountsAndSessions, down: accountsAndSessionsDown },
  { id: "0002_jobs_and_schedules", up: jobsAndSchedules, down: jobsAndSchedulesDown },
  { id: "0003_cache", up: cache, down: cacheDown },
  {
    id: "0004_audit",
    up: audit,
    down: auditDown,
    postgres: { up: auditOnPostgres, down: auditDownOnPostgres },
  },
  { id: "0005_attempt_failures", up: attemptFailures, down: attemptFailuresDown },
  { id: "0006_oauth", up: oauth, down: oauthDown },
  { id: "0007_job_trace", up: jobTrace, down: jobTraceDown },
  { id: "0008_mail", up: mail, down: mailDown },
  { id: "0009_device_epoch", up: deviceEpoch, down: deviceEpochDown },
  { id: "0010_proofs", up: proofs, down: proofsDown },
  { id: "0011_apps", up: apps, down: appsDown },
  { id: "0012_services", up: services, down: servicesDown },
  { id: "0013_people", up: people, down: peopleDown },
  {
    id: "0014_console",
    up: console,
    down: consoleDown,
    postgres: { up: consoleOnPostgres, down: consoleDownOnPostgres },
  },
  { id: "0015_invitations", up: invitations, down: invitationsDown },
  { id: "0016_mails", up: mails, down: mailsDown },
  { id: "0017_endings", up: endings, down: endingsDown },
  { id: "0018_old_hashes", up: oldHashes, down: oldHashesDown },
  {
    id: "0019_mail_counts",
    up: mailCounts,
    down: mailCountsDown,
    postgres: { up: mailCountsOnPostgres, down: mailCountsDownOnPostgres },
  },
  {
    id: "0022_job_notices",
    up: jobNotices,
    down: jobNoticesDown,
    postgres: { up: jobNoticesOnPostgres, down: jobNoticesDownOnPostgres },
  },
  { id: "0023_factors", up: factors, down: factorsDown },
  { id: "0024_passkeys", up: passkeys, down: passkeysDown },
  { id: "0025_email_sign_in", up: emailSignIn, down: emailSignInDown },
  { id: "0026_holds", up: holds, down: holdsDown },
  { id: "0028_grant_browsers", up: grantBrowsers, down: grantBrowsersDown },
  { id: "0029_metadata", up: metadata, down: metadataDown },
  { id: "0030_terms", up: terms, down: termsDown },
  { id: "0031_webhook_deliveries", up: webhookDeliveries, down: webhookDeliveriesDown },
  { id: "0032_personal_tokens", up: personalTokens, down: personalTokensDown },
  { id: "0033_provider", up: provider, down: providerDown },
  {
    id: "0034_provider_ends",
    up: providerEnds,
    down: providerEndsDown,
    postgres: { up: providerEndsOnPostgres, down: providerEndsDownOnPostgres },
  },
  {
    id: "0035_organizations",
    up: organizations,
    down: organizationsDown,
    postgres: { up: organizationsOnPostgres, down: organizationsDownOnPostgres },
  },
  { id: "0036_organization_domains", up: organizationDomains, down: organizationDomainsDown },
  {
    id: "0037_account_counts",
    up: accountCounts,
    down: accountCountsDown,
    postgres: { up: accountCountsOnPostgres, down: accountCountsDownOnPostgres },
  },
  {
    id: "0038_ways_in",
    up: waysIn,
    down: waysInDown,
    postgres: { up: waysInOnPostgres, down: waysInDownOnPostgres },
  },
  { id: "0039_support", up: support, down: supportDown },
  { id: "0040_password_length", up: passwordLength, down: passwordLengthDown },
  {
    id: "0041_impersonation",
    up: impersonation,
    down: impersonationDown,
    postgres: { up: impersonationOnPostgres, down: impersonationDownOnPostgres },
  },
  { id: "0042_short_addresses", up: shortAddresses, down: shortAddressesDown },
  {
    id: "0043_audit_slots",
    up: auditSlots,
    down: auditSlotsDown,
    postgres: { up: auditSlotsOnPostgres, down: auditSlotsDownOnPostgres },
  },
  { id: "0044_cleanup_indexes", up: cleanupIndexes, down: cleanupIndexesDown },
  {
    id: "0045_sessions_in_place",
    up: sessionsInPlace,
    down: sessionsInPlaceDown,
    postgres: { up: sessionsInPlaceOnPostgres, down: sessionsInPlaceDownOnPostgres },
  },
  {
    id: "0046_audit_partitions",
    up: auditPartitions,
    down: auditPartitionsDown,
    postgres: { up: auditPartitionsOnPostgres, down: auditPartitionsDownOnPostgres },
  },
  {
    id: "0047_mail_slots",
    up: mailSlots,
    down: mailSlotsDown,
    postgres: { up: mailSlotsOnPostgres, down: mailSlotsDownOnPostgres },
  },
];
