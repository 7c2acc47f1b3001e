import type { JSX } from "preact";
import type { Settings } from "../../../shared/settings.ts";
import type { Words } from "../../../shared/words/index.ts";
import { AddressSection } from "./address.section.tsx";
import { FactorsSection } from "./factors/section.tsx";
import { DataSection } from "./data.section.tsx";
import { IdentitiesSection } from "./identities.section.tsx";
import { PasswordSection } from "./password.section.tsx";
import { ProfileSection } from "./profile.section.tsx";
import type { SectionProps } from "./section.props.ts";
import { SessionsSection } from "./sessions.section.tsx";

interface Section {
  /** The fragment of an address that leads to the section. */
  readonly id: keyof Words["account"]["sections"];
  readonly Shown: (props: SectionProps) => JSX.Element;
  /** Whether the page has the section. Default: always. */
  readonly isThere?: (settings: Settings) => boolean;
}

const all: readonly Section[] = [
  { id: "profile", Shown: ProfileSection },
  { id: "email", Shown: AddressSection },
  { id: "password", Shown: PasswordSection },
  { id: "factors", Shown: FactorsSection },
  { id: "sessions", Shown: SessionsSection },
  { id: "identities", Shown: IdentitiesSection, isThere: ({ providers }) => providers.length > 0 },
  { id: "data", Shown: DataSection },
];

/** Returns the sections of the account page in their order. */
export const sectionsOf = (settings: Settings): readonly Section[] =>
  all.filter(({ isThere }) => isThere?.(settings) ?? true);
