import { accepts, list, type Kind } from "../kinds/kinds.ts";
import { variablesOf } from "../kinds/variable.ts";

const way = /^(?:password|passkey|email|provider:[a-z0-9-]{1,64})$/;

/** Ways to sign in, each once. */
const ways: Kind<readonly string[]> = {
  ...list,
  complaint: accepts((value) => {
    const named = list.read(value);
    return named.every((each) => way.test(each)) && new Set(named).size === named.length;
  }, "must be password, passkey, email or provider:<name>, each once, with commas between"),
};

export const waysVariables = {
  loginMethods: variablesOf("Sign-in page")("LOGIN_METHODS", ways, {
    fallback: "",
    description:
      "Ways to sign in that the page offers, in their order, such as provider:google,passkey,password; empty: all that are on. What this browser used last comes first",
  }),
};
