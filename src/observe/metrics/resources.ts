import type { Outcome } from "../../core/pace/outcome.ts";
import { families } from "./families.ts";
import { createCounter } from "./series.ts";

/** `name` is the name of the cache or disk. */
type ResourceLabels = { name: string; operation: string; status: Outcome };
type TopicLabels = { topic: string; status: Outcome };

/** What is counted of caches, disks, event buses, mails, hooks and webhooks. */
export function createResourceMetrics() {
  const counters = {
    cacheOperations: createCounter<ResourceLabels>(families.cache_operations_total.labels),
    storageOperations: createCounter<ResourceLabels>(families.storage_operations_total.labels),
    eventsPublishes: createCounter<TopicLabels>(families.events_publishes_total.labels),
    eventsDeliveries: createCounter<TopicLabels>(families.events_deliveries_total.labels),
    mailSends: createCounter<{ driver: string; status: Outcome }>(families.mail_sends_total.labels),
    mailsWithheld: createCounter<{ mail: string; reason: string }>(families.mails_withheld_total.labels),
    hookCalls: createCounter<{ hook: string; point: string; outcome: string }>(families.hook_calls_total.labels),
    provider: createCounter<{ act: string; what: string }>(families.provider_acts_total.labels),
    webhookDeliveries: createCounter<{ webhook: string; outcome: string }>(families.webhook_deliveries_total.labels),
  };
  const samples = {
    hook_calls_total: counters.hookCalls.samples,
    cache_operations_total: counters.cacheOperations.samples,
    storage_operations_total: counters.storageOperations.samples,
    events_publishes_total: counters.eventsPublishes.samples,
    events_deliveries_total: counters.eventsDeliveries.samples,
    mail_sends_total: counters.mailSends.samples,
    mails_withheld_total: counters.mailsWithheld.samples,
    provider_acts_total: counters.provider.samples,
    webhook_deliveries_total: counters.webhookDeliveries.samples,
  };
  return { counters, samples };
}
