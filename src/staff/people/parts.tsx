/** @jsxImportSource #html */
import { deviceLabel, type Person } from "../../auth/index.ts";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { StaffContext } from "../frame/context.ts";

/** What every part of a person's page is about. */
export interface AboutPerson {
  readonly context: StaffContext;
  readonly person: Person;
}

/** A text that a person has chosen, with a direction of its own: a name read from right to left does not turn the text around it. */
export const Chosen = ({ children }: { readonly children: string }) => <bdi>{children}</bdi>;

/** Returns the device and browser of a session or an event: `Mac · Safari`. */
export const deviceIn = ({ speech }: Pick<StaffContext, "speech">, userAgent: string): string =>
  deviceLabel(userAgent, speech.account.sessions.unknown);

interface TagProps {
  readonly tone?: "good" | "warning" | "danger" | undefined;
  readonly children: Children;
}

export const Tag = ({ tone, children }: TagProps) => <span class={`tag ${tone ?? ""}`}>{children}</span>;
