/** The upstream where nginx is not installed. Argument: the port. */
import { answers } from "./answers.ts";

Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.args[0]), onListen() {} },
  async (request) => {
    await request.body?.pipeTo(new WritableStream());
    const path = request.url.slice(request.url.indexOf("/", 8));
    return new Response(answers[path] ?? answers["/small"], {
      headers: { "content-type": "application/json" },
    });
  },
);
