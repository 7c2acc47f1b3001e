// An app that knows who is calling. nginx has asked Gatehouse before a request comes here, and says in headers who it is: nobody else
// reaches this port. Values are percent-encoded UTF-8.
import { createServer } from "node:http";

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text) => text.replace(/[&<>"']/g, (character) => escapes[character]);

const page = ({ username, email }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Notes</title>
    <script src="/sign-out.js" defer></script>
  </head>
  <body>
    <h1>Hello, ${escaped(username)}!</h1>
    <p>You are signed in as ${escaped(email)}. <a href="/account">Your account</a></p>
    <button id="sign-out">Sign out</button>
  </body>
</html>
`;

const signOut = `document.getElementById("sign-out").addEventListener("click", async () => {
  await fetch("/api/v1/auth/logout", { method: "POST" });
  location.assign("/");
});
`;

createServer((request, response) => {
  const told = (name) => decodeURIComponent(request.headers[`x-auth-${name}`] ?? "");
  const [type, body] =
    request.url === "/sign-out.js"
      ? ["text/javascript", signOut]
      : ["text/html", page({ username: told("username"), email: told("email") })];
  response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "private, no-store" });
  response.end(body);
}).listen(8081, "127.0.0.1");
