import { systemClock } from "../../src/core/clock.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";
import { createS3Storage, type S3StorageOptions } from "../../src/drivers/storage/s3/storage.ts";
import type { startS3 } from "./s3.ts";

export type S3Server = ReturnType<typeof startS3>;

/** Opens a disk in the bucket of a test server, with the patience that a test allows. */
export const openS3 = (
  { url, accessKeyId, secretAccessKey, region }: Pick<S3Server, "url" | "accessKeyId" | "secretAccessKey" | "region">,
  others: Partial<S3StorageOptions> = {},
): Storage =>
  createS3Storage({
    name: "uploads",
    bucket: "offsite",
    endpoint: new URL(url),
    region,
    accessKeyId,
    secretAccessKey,
    prefix: "gatehouse",
    clock: systemClock,
    patience: { deadlineMs: 20_000, pauseMs: 1 },
    ...others,
  });

export const mebibyte = 1024 * 1024;
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const sha256 = (content: Uint8Array): string => new Bun.CryptoHasher("sha256").update(content).digest("hex");
/** Content of three parts: two whole ones and a piece. */
export const large = Buffer.concat(
  Array.from({ length: 17 }, (_, index) => new Uint8Array(mebibyte).fill(index)),
  17 * mebibyte - 7,
);
export const chunks = (content: Uint8Array): ReadableStream<Uint8Array> => new Blob([Buffer.from(content)]).stream();
