/** Describes the calls of the served document as one JSON Schema, from which `make contract` makes `Operations`. */

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

type Content = Record<string, { schema?: Schema }>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

/** What is read of the OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const JSON_TYPE = "application/json";

/** Gives each method an object of its paths, and each path one of `path`, `query`, `body` and `data`. */
export function describeOperations({ paths, components }: Document): object {
  const methods: Record<string, Record<string, object>> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      methods[method] = { ...methods[method], [path]: describeOperation(path, operation, components.schemas) };
    }
  }
  const shapes = Object.entries(methods).map(
    ([method, calls]) => [method, closeObject(calls, Object.keys(calls))] as const,
  );
  const description = "Every call of the server: what goes into its path, query and body, and the data of its answer.";
  return { ...closeObject(Object.fromEntries(shapes), Object.keys(methods)), description };
}

function describeOperation(path: string, operation: Operation, schemas: Record<string, Schema>): object {
  const parameters = operation.parameters ?? [];
  const isInPath = ({ name }: Parameter) => path.includes(`{${name}}`);
  const inPath = parameters.filter(isInPath);
  const inQuery = parameters.filter((parameter) => parameter.in !== "header" && !isInPath(parameter));
  const needed = inQuery.filter(({ required, in: place }) => required && place === "query");
  const body = findBody(operation);
  const data = findData(operation, schemas);
  const parts = {
    ...(inPath.length > 0 && { path: closeObject(listSchemas(inPath), listNames(inPath)) }),
    ...(inQuery.length > 0 && { query: closeObject(listSchemas(inQuery), listNames(needed)) }),
    ...(body !== null && { body }),
    ...(data !== null && { data }),
  };
  const always = Object.keys(parts).filter((part) => part !== "query" || needed.length > 0);
  return closeObject(parts, always);
}

const listNames = (parameters: Parameter[]) => parameters.map(({ name }) => name);

const listSchemas = (parameters: Parameter[]) =>
  Object.fromEntries(parameters.map(({ name, schema }) => [name, schema] as const));

/** The shape of a body; one that is no JSON is sent from a file. */
function findBody({ requestBody }: Operation): object | null {
  if (requestBody === undefined) return null;
  return requestBody.content[JSON_TYPE]?.schema ?? { tsType: "File" };
}

/** The data within the envelope of the answers; null where they are files, pages or streams. */
function findData({ responses }: Operation, schemas: Record<string, Schema>): object | null {
  const told = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const envelopes = told.flatMap(([, { content }]) => {
    const schema = content?.[JSON_TYPE]?.schema;
    const whole = schema?.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1) ?? ""];
    return whole?.properties?.["message"] === undefined ? [] : [whole.properties["data"] ?? { tsType: "undefined" }];
  });
  const different = [...new Map(envelopes.map((data) => [JSON.stringify(data), data])).values()];
  if (different.length === 0) return null;
  return different.length === 1 ? (different[0] ?? null) : { anyOf: different };
}

function closeObject(properties: Record<string, object>, required: string[]): object {
  return { type: "object", properties, required, additionalProperties: false };
}
