import { Value } from "@sinclair/typebox/value";
import { registerName } from "../../core/naming.ts";
import { isTopic, topics, type DomainEvent } from "../../core/topics.ts";

/** Checks the names of all topics at once (CONTRACT §13); then, event by event, why one can't be published. */
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
