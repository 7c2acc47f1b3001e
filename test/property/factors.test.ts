import { expect, test } from "bun:test";
import { createFactorRace } from "./factor.race.ts";
import { longestSearchMs, searchSeconds } from "./search.ts";
import { seededChoice } from "./turns.ts";

const mostBeside = 3;

test(
  "M-16 random interleavings of sign-in, set-up, removal, reset and revocation open and raise no session without the factor that the account has",
  async () => {
    await using race = await createFactorRace();
    const names = Object.keys(race.acts);
    const proofs = names.filter((name) => /sign-in|proof/.test(name));
    const usual = Number(process.env["GATEHOUSE_PROPERTY_SEED"] ?? 1);
    const until = performance.now() + searchSeconds(3) * 1_000;
    let played = 0;
    for (let seed = usual; performance.now() < until || played < 200; seed += 1) {
      const choose = seededChoice(seed);
      const others = Array.from({ length: 1 + choose(mostBeside) }, () => names[choose(names.length)] ?? "");
      const some = [proofs[choose(proofs.length)] ?? "", ...others];
      const withFactor = choose(2) === 0;
      const wrong = await race.play(seed, some, withFactor);
      expect({ seed, some, withFactor, wrong }).toEqual({ seed, some, withFactor, wrong: [] });
      played += 1;
    }
  },
  longestSearchMs,
);
