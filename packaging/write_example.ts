/** Writes `portico.example.yml` from the configuration's schema. */
import { exampleConfiguration } from "../gateway/config/example.ts";

Deno.writeTextFileSync(
  new URL("portico.example.yml", import.meta.url),
  exampleConfiguration(),
);
