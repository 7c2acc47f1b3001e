import { SQL } from "bun";
import { Elysia } from "elysia";

// The baseline for `GET /api/v1/hello` on PostgreSQL: one row by its key through the same client.
const { BENCH_URL: url = "", BENCH_ID: id = "", PORT: port } = Bun.env;
const sql = new SQL(url, { max: 8 });
const app = new Elysia()
  .get("/api/v1/hello", async () => {
    const rows = await sql.unsafe<{ username: string }[]>("select id, username, email from users where id = $1", [id]);
    return `Hello, ${rows[0]?.username ?? "nobody"}!`;
  })
  .listen({ hostname: "127.0.0.1", port: Number(port) });
console.log(`listening on ${app.server?.port}`);
