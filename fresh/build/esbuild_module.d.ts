export declare const esbuildModule: WebAssembly.Module;
