import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import { refusalOf, type SignedRequest } from "../support/s3.signature.ts";
import { startS3 } from "../support/s3.ts";

// The tests' own server proves something only if it refuses what Amazon refuses.

describe("the examples of Amazon's specification", () => {
  const secrets = new Map([["AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]]);
  const verifier = { secrets, region: "us-east-1", now: Date.UTC(2013, 4, 24) };
  const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const scope = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request";
  const request = (method: string, target: string, headers: Record<string, string>, body = ""): SignedRequest => ({
    method,
    target,
    headers: new Headers({ host: "examplebucket.s3.amazonaws.com", ...headers }),
    body: new TextEncoder().encode(body),
  });
  const signed = (names: string, signature: string) => ({
    "x-amz-date": "20130524T000000Z",
    authorization: `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`,
  });

  test("GET with a range", () => {
    const headers = {
      range: "bytes=0-9",
      "x-amz-content-sha256": emptyHash,
      ...signed(
        "host;range;x-amz-content-sha256;x-amz-date",
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
      ),
    };
    expect(refusalOf(request("GET", "/test.txt", headers), verifier)).toBeUndefined();
    expect(refusalOf(request("GET", "/test.txt", { ...headers, range: "bytes=0-8" }), verifier)).toEqual([
      403,
      "SignatureDoesNotMatch",
    ]);
  });

  test("PUT of a text", () => {
    const headers = {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      ...signed(
        "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
      ),
    };
    const put = (body: string) => refusalOf(request("PUT", "/test%24file.text", headers, body), verifier);
    expect(put("Welcome to Amazon S3.")).toBeUndefined();
    expect(put("Welcome to Amazon S4.")).toEqual([400, "XAmzContentSHA256Mismatch"]);
  });

  test("a presigned address", () => {
    const query =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
      "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
      "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
    const get = (now: number) => refusalOf(request("GET", `/test.txt?${query}`, {}), { ...verifier, now });
    expect(get(verifier.now)).toBeUndefined();
    expect(get(verifier.now + 86_401_000)).toEqual([403, "AccessDenied"]);
  });
});

describe("the server", () => {
  let server: ReturnType<typeof startS3>;
  beforeEach(() => {
    server = startS3();
  });
  afterEach(() => server.stop());

  const body = new TextEncoder().encode("Dear Grace");
  const put = async (change: (signed: Headers) => Uint8Array<ArrayBuffer> = () => body, options = {}) => {
    const { accessKeyId, secretAccessKey, url } = server;
    const headers = {
      "x-amz-content-sha256": new Bun.CryptoHasher("sha256").update(body).digest("hex"),
      "x-amz-meta-to": "ada",
    };
    const signer = {
      method: "PUT",
      url: `${url}/offsite/letter`,
      headers,
      accessKeyId,
      secretAccessKey,
      service: "s3",
      region: "us-east-1",
    };
    const signed = await new AwsV4Signer({ ...signer, ...options }).sign();
    const answer = await fetch(signed.url.href, {
      method: "PUT",
      body: change(signed.headers),
      headers: signed.headers,
    });
    return [answer.status, /<Code>(.*)<\/Code>/.exec(await answer.text())?.[1]];
  };

  test("takes what is signed, and refuses another secret, key, region, date, body or header", async () => {
    expect(await put()).toEqual([200, undefined]);
    expect(await put(undefined, { secretAccessKey: "another one" })).toEqual([403, "SignatureDoesNotMatch"]);
    expect(await put(undefined, { accessKeyId: "NOBODY" })).toEqual([403, "InvalidAccessKeyId"]);
    expect(await put(undefined, { region: "eu-central-1" })).toEqual([400, "AuthorizationHeaderMalformed"]);
    expect(await put(undefined, { datetime: "20200101T000000Z" })).toEqual([403, "RequestTimeTooSkewed"]);
    expect(await put(() => new TextEncoder().encode("Dear Alan"))).toEqual([400, "XAmzContentSHA256Mismatch"]);
    const changed = (name: string, value: string) => (headers: Headers) => {
      headers.set(name, value);
      return body;
    };
    expect(await put(changed("x-amz-meta-to", "alan"))).toEqual([403, "SignatureDoesNotMatch"]);
    expect(await put(changed("x-amz-meta-from", "alan"))).toEqual([403, "AccessDenied"]);
    expect(await put(changed("content-md5", "AAAA"))).toEqual([400, "BadDigest"]);
    expect(await put(changed("authorization", "Basic x"))).toEqual([403, "AccessDenied"]);
    server.state.aheadMs = -16 * 60_000;
    expect(await put()).toEqual([403, "RequestTimeTooSkewed"]);
  });

  test("speaks with Bun's own client, which signs no bodies, and with its presigned addresses", async () => {
    const { accessKeyId, secretAccessKey, url, region } = server;
    const client = new Bun.S3Client({ accessKeyId, secretAccessKey, endpoint: url, region, bucket: "offsite" });
    await client.write("a b/ä", "Dear Grace");
    expect(await client.file("a b/ä").text()).toBe("Dear Grace");
    expect(await client.file("a b/ä").slice(0, 4).text()).toBe("Dear");
    expect((await client.list({ prefix: "a b/" })).contents).toMatchObject([{ key: "a b/ä", size: 10 }]);
    expect(await (await fetch(client.presign("a b/ä"))).text()).toBe("Dear Grace");
    const stranger = new Bun.S3Client({ accessKeyId, secretAccessKey: "x", endpoint: url, region, bucket: "offsite" });
    expect((await fetch(stranger.presign("a b/ä"))).status).toBe(403);
    await client.delete("a b/ä");
    expect(server.files.size).toBe(0);
  });
});
