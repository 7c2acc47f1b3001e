/** @jsxImportSource #html */
import type { AppError } from "../../core/errors.ts";
import { CardPage } from "../frame/parts.tsx";
import { Refusal } from "../sign.in/parts.tsx";
import type { AccountContext } from "./context.ts";
import { viewOf } from "./form.tsx";

interface RefusalProps {
  readonly context: AccountContext;
  readonly refusal: AppError;
  /** The page that the reader goes on from. */
  readonly back: string;
}

/** Says in the frame of the account what could not be done. */
export const RefusalPage = ({ context, refusal, back }: RefusalProps) => {
  const { kit, entry } = context.speech;
  const { absent, stale } = kit.refused;
  const said = refusal.status === 404 ? absent : refusal.reason === "cross_site_request" ? stale : undefined;
  return (
    <CardPage context={context} title={said?.title ?? entry.trouble}>
      {said === undefined ? <Refusal view={viewOf(context, undefined, refusal)} /> : <p>{said.lead}</p>}
      <a class="button" href={context.href(back)}>
        {kit.back}
      </a>
    </CardPage>
  );
};
