/**
 * Questions and answers between two isolates, by messages. Each side names what it
 * can be asked; what is sent is copied (structured clone), streams are handed over.
 */

/** What a side can be asked, by name: from the subject of a question to its answer. */
export type Answers<Asked> = {
  readonly [Name in keyof Asked]: Asked[Name] extends (subject: infer Subject) => infer Answer
    ? (subject: Subject) => Reply<Answer> | Promise<Reply<Answer>>
    : never;
};

/** An answer, or one that hands over what cannot be copied. */
export type Reply<Answer> = Answer | HandingOver<Answer>;

/** A message together with the streams and buffers in it that change hands. */
export class HandingOver<T> {
  constructor(readonly message: T, readonly transfer: readonly Transferable[]) {}
}

/** A worker as its maker sees it, or the global scope of the worker itself. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

type Message =
  | { readonly question: string; readonly id: number; readonly subject: unknown }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

interface Waiting {
  resolve(answer: unknown): void;
  reject(reason: Error): void;
}

type Subject<Question> = Question extends (subject: infer S) => unknown ? S : never;
type Answer<Question> = Question extends (subject: never) => infer A ? Awaited<A> : never;

/** The other isolate did not answer, or answered with an error. */
export class LineError extends Error {
  override readonly name = "LineError";
}

/** One end of a line: `Here` can be asked at this end, `There` at the other one. */
export class Line<Here, There> {
  readonly #port: Port;
  readonly #answers: Answers<Here>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #cutBy: string | null = null;

  constructor(port: Port, answers: Answers<Here>) {
    this.#port = port;
    this.#answers = answers;
    port.onmessage = ({ data }: MessageEvent<Message>) => this.#receive(data);
  }

  /** Rejects with a `LineError` when the other end fails to answer, or the line is cut. */
  ask<Name extends keyof There & string>(
    name: Name,
    subject: Reply<Subject<There[Name]>>,
  ): Promise<Answer<There[Name]>> {
    if (this.#cutBy !== null) return Promise.reject(new LineError(this.#cutBy));
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    try {
      this.#send(subject, (message) => ({ question: name, id, subject: message }));
    } catch (error) {
      this.#waiting.delete(id);
      return Promise.reject(error);
    }
    return answer.promise as Promise<Answer<There[Name]>>; // as the two ends agree
  }

  /** Nothing is asked or answered any more; whoever waits is told why. */
  cut(reason: string): void {
    this.#cutBy = reason;
    this.#port.onmessage = null;
    for (const { reject } of this.#waiting.values()) reject(new LineError(reason));
    this.#waiting.clear();
  }

  #receive(message: Message): void {
    if ("question" in message) {
      this.#answer(message.question, message.id, message.subject);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("failure" in message) waiting?.reject(new LineError(message.failure));
    else waiting?.resolve(message.answer);
  }

  async #answer(name: string, id: number, subject: unknown): Promise<void> {
    try {
      const answer = this.#answers[name as keyof Here] as (subject: unknown) => unknown;
      const reply = await answer(subject);
      if (this.#cutBy === null) this.#send(reply, (message) => ({ id, answer: message }));
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (this.#cutBy === null) this.#port.postMessage({ id, failure }, []);
    }
  }

  #send(reply: unknown, envelope: (message: unknown) => Message): void {
    if (reply instanceof HandingOver) {
      this.#port.postMessage(envelope(reply.message), [...reply.transfer]);
    } else this.#port.postMessage(envelope(reply), []);
  }
}
