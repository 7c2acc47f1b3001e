import { hash, verify } from "@node-rs/argon2";
import { closedLoop } from "./load.ts";
import { argon2Parameters } from "./population.ts";

// The part of a login that can't be avoided, alone: one Argon2id verification after the other.
const password = "a garden of forking paths";
const stored = await hash(password, argon2Parameters);
const clients = Array.from({ length: Number(Bun.env["BENCH_IN_FLIGHT"]) }, (_, index) => index);
const { perSecond } = await closedLoop(clients, Number(Bun.env["BENCH_SECONDS"]), async () => {
  if (!(await verify(stored, password))) throw new Error("a right password was refused");
});
console.log(perSecond);
