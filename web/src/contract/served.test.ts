// @vitest-environment node
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { expect, test } from "vitest";
import document from "./openapi.json";

/** What the compiler says of every shape, which helps nobody. */
const noise =
  /(\n \*)?\n \* This interface was referenced by `Served`'s JSON-Schema\n \* via the `definition` "[^"]*"\./g;

/** The document's shapes as TypeScript: written by `make contract` (`vitest --update`), compared by every other run. */
async function typesOf(shapes: object): Promise<string> {
  // Every answer is `Success` around its data: `wire.ts` says so once.
  const own = Object.entries(shapes).filter(([name]) => !name.startsWith("Success_"));
  const text = JSON.stringify({ $defs: Object.fromEntries(own) }).replaceAll("#/components/schemas/", "#/$defs/");
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
  await expect(await typesOf(document.components.schemas)).toMatchFileSnapshot("./served.ts");
}, 60_000);
