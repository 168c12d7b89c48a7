// @ts-self-types="./esbuild_module.d.ts"
// esbuild as WebAssembly. In JavaScript, for TypeScript does not know the syntax yet: it has
// Deno compile the module from its npm cache, which needs no read permission.
import source esbuildModule from "esbuild-wasm/esbuild.wasm";
export { esbuildModule };
