import { pagePolicy } from "../pages/policy.ts";

/** Scripts and styles come from files of this host alone. Swagger UI sets styles on elements by script, which needs no permission. */
export const policy = pagePolicy({
  script: "'self'",
  style: "'self'",
  image: "'self' data:",
  connect: "'self'",
});

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/openapi/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/openapi/swagger-ui.js"></script>
<script src="/openapi/start.js"></script>
</body>
</html>
`;

// `validatorUrl: null` keeps Swagger UI from sending the document to swagger.io for validation.
export const starter = `SwaggerUIBundle({
  url: "/openapi/json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
});
`;
