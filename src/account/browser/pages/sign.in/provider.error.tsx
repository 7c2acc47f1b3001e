import { useAccount } from "../../context.ts";
import { Notice } from "../../parts/notice.tsx";
import { refusalInWords } from "../../../shared/refusals.ts";

/** Says why a sign-in with a provider has failed. The server puts the code into the address of this page. */
export function ProviderError() {
  const { words, router } = useAccount();
  const code = router.place.value.query.get("oauth_error");
  return code === null ? null : <Notice kind="danger">{refusalInWords(words.value, code)}</Notice>;
}
