/** @jsxImportSource #html */
import type { Children } from "../jsx-runtime.ts";

interface FactsProps {
  readonly facts: readonly (readonly [label: string, value: Children])[];
}

/** A value with more characters than this gets the room of two. */
const longestText = 40;

/** Facts about one thing, each with its name. */
export const Facts = ({ facts }: FactsProps) => (
  <dl class="facts">
    {facts.map(([label, value]) => (
      <div key={label} class={typeof value === "string" && value.length > longestText ? "long" : undefined}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
