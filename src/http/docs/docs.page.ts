import { pagePolicy } from "../pages/policy.ts";

/** No script but the three files of this host; styles that the reference sets on elements by script need no permission. */
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

// `validatorUrl: null`: the document is not sent to swagger.io to be judged.
export const starter = `SwaggerUIBundle({
  url: "/openapi/json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
});
`;
