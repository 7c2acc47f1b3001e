import { useAccount } from "../context.ts";

/** Reports trouble with the service or the connection, above every page. */
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
