/** The package has no types of its own: what `entry.ts` uses of it. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    dom_id: string;
    url: string;
    deepLinking: boolean;
    docExpansion: "list" | "full" | "none";
    supportedSubmitMethods: string[];
    validatorUrl: string | null;
  }
  export default function SwaggerUI(options: Options): unknown;
}
