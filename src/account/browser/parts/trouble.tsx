import { useAccount } from "../context.ts";

/** Says what is wrong with the service or the way to it, above whichever page is shown. */
export function TroubleBar() {
  const { connection, words } = useAccount();
  const trouble = connection.trouble.value;
  return (
    <div class="trouble" role="alert">
      {trouble && (
        <p>
          {words.value.trouble[trouble.kind]}
          {trouble.kind === "broken" && trouble.requestId !== undefined && (
            <small>{words.value.trouble.reference(trouble.requestId)}</small>
          )}
        </p>
      )}
    </div>
  );
}
