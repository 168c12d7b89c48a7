// `fresh/dev`: building an application.
export { Builder, type BuildOptions, type ResolvedBuildConfig } from "./build/builder.ts";
