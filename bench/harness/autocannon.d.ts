/** The part of autocannon that we use; it brings no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  interface Options {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly headers?: Readonly<Record<string, string>>
    /** Sent one after the other, again and again, on each connection. */
    readonly requests?: readonly { readonly method: string; readonly path: string }[]
  }

  interface Result {
    readonly errors: number
    readonly timeouts: number
  }

  interface Instance extends EventEmitter, PromiseLike<Result> {
    on(event: 'response', listener: (client: unknown, status: number, bytes: number, latencyMs: number) => void): this
  }

  export default function autocannon(options: Options): Instance
}
