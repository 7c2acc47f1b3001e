import type { JSX } from "preact";
import { Card } from "../../parts/blocks.tsx";
import { Awaited, type SectionProps } from "./section.tsx";

type Extra = "OrganizationsSection" | "TokensSection";

/** Makes a section whose file is loaded once an installation has it. */
export const extraSection =
  (name: Extra) =>
  (props: SectionProps): JSX.Element => {
    const { extras } = props.holdings;
    const Shown = extras.value.value?.[name];
    if (Shown !== undefined) return <Shown {...props} />;
    return (
      <Card id={props.id} title={props.title} state={undefined}>
        <Awaited resource={extras} />
      </Card>
    );
  };
