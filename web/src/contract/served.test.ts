// @vitest-environment node
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { expect, test } from "vitest";
import document from "./openapi.json?raw";
import { type Document, describeOperations } from "./operationShapes.ts";

/** What the compiler says of every shape, which helps nobody. */
const noise =
  /(\n \*)?\n \* This interface was referenced by `Served`'s JSON-Schema\n \* via the `definition` "[^"]*"\./g;

/** The document's shapes and calls as TypeScript: written by `make contract` (`vitest --update`), compared by every run. */
async function typesOf(served: Document): Promise<string> {
  // Every answer is `Success` around its data: `Operations` names the data alone.
  const own = Object.entries(served.components.schemas).filter(([name]) => !name.startsWith("Success_"));
  const shapes = { ...Object.fromEntries(own), Operations: describeOperations(served) };
  const text = JSON.stringify({ $defs: shapes }).replaceAll("#/components/schemas/", "#/$defs/");
  const schema: JSONSchema = JSON.parse(text);
  const written = await compile(schema, "Served", {
    additionalProperties: false,
    bannerComment: "/* Made from openapi.json by `make contract`. Change the server, not this file. */",
    style: { printWidth: 120 },
    unreachableDefinitions: true,
  });
  return written.replace(noise, "").replace(/\/\*\*\n \*\/\n/g, "");
}

// The browser's types are made from the document the server serves.
test("the browser's types are made from the served document", async () => {
  const served: Document = JSON.parse(document);
  await expect(await typesOf(served)).toMatchFileSnapshot("./served.ts");
}, 60_000);
