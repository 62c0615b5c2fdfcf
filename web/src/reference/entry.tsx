// The API reference at /docs: Swagger UI over the OpenAPI document that this server serves. An entry of its own, which no other
// page loads.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";

SwaggerUI({
  dom_id: "#reference",
  url: "/api/openapi.json",
  deepLinking: true,
  docExpansion: "list",
  // Reads can be tried with one's own login; what writes is shown, not sent.
  supportedSubmitMethods: ["get"],
  // The document is sent nowhere to be checked.
  validatorUrl: null,
});
