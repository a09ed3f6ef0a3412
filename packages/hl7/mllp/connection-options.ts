import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { MllpCounters } from './counters.ts'
import type { FailureOf } from './failure-answer.ts'
import type { FrameEvent } from './framer.ts'

/** Who is at the other end. */
export interface Peer {
  readonly address: string
  readonly port: number
  /** The common name in the certificate that the sender showed, with mutual TLS. */
  readonly certificateName: string | undefined
}

/** `head` is how the message began, and `length` what had come of it. The connection ends when this has resolved. */
export type OnOversize = (
  oversize: { readonly head: Uint8Array; readonly length: number },
  peer: Peer,
  send: (answer: Uint8Array) => Promise<void>,
) => Promise<void>

export interface ConnectionOptions {
  /**
   * `send` is for a message that gets several answers; what is returned is sent last. `markAccepted` is for one that is safe
   * without its sender being told so.
   */
  readonly onMessage: (
    bytes: Uint8Array,
    peer: Peer,
    send: (answer: Uint8Array) => Promise<void>,
    markAccepted: () => void,
  ) => Promise<Uint8Array | undefined>
  /** The answer to a message whose handling failed or whose frame was too large; undefined when its sender wants none. */
  readonly onFailure: (failed: Omit<FailureOf, 'wanted'>) => Uint8Array | undefined
  /** A message whose frame was too large, for whoever keeps a record of it and answers it; else `onFailure` does. */
  readonly onOversize?: OnOversize | undefined
  readonly onEvent: (event: Exclude<FrameEvent, { kind: 'frame' }>, peer: Peer) => void
  /** What came is a request of HTTP: the connection ends. */
  readonly onHttp: (peer: Peer) => void
  readonly frameBytesMax: number
  readonly frameTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly writeTimeoutMs: number
  /** Messages of one connection that wait for their answer before no more are read. */
  readonly unansweredMax: number
}

export interface ConnectionDeps {
  readonly clock: Clock
  readonly log: Log
  readonly counters: MllpCounters
}
