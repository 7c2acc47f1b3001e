import { Value } from "@sinclair/typebox/value";
import { registerName } from "../../core/naming.ts";
import { isTopic, topics, type DomainEvent } from "../../core/topics.ts";

/**
 * Throws when the name of a topic breaks its convention, so that a start fails and not a publication. Returns a function that
 * says why an event can't be published.
 */
export function createTopicCheck(): (event: DomainEvent) => string | undefined {
  const registered = new Set<string>();
  for (const topic of Object.keys(topics)) {
    registerName("topic", topic, registered);
    registered.add(topic);
  }
  return ({ topic, payload }) => {
    if (!isTopic(topic)) return "its topic is not a known one";
    return Value.Check(topics[topic], payload) ? undefined : "its payload does not fit the topic";
  };
}
