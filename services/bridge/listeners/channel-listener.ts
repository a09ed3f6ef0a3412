import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { isLoopbackHost } from '../../../packages/http/request.ts'
import { startMllpServer, type MllpServer, type MllpServerOptions } from '../../../packages/hl7/index.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Incoming } from '../durable/arrival.ts'
import { answerPlan } from '../pipeline/7-ack.ts'
import type { ChannelStatus } from './channel-control.ts'
import type { ListenerSettings } from './listener-settings.ts'
import { Pace } from './pace.ts'

export interface ListenerDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly receive: (incoming: Incoming) => Promise<void>
  /** Told of bytes that were no message. */
  readonly onEvent: NonNullable<MllpServerOptions['onEvent']>
  /** Told of senders that got no connection. */
  readonly onRefused: NonNullable<MllpServerOptions['onRefused']>
}

/** The MLLP listener of one channel: opened, closed and opened again as the operator wants it. */
export class ChannelListener {
  readonly settings: ListenerSettings
  readonly #deps: ListenerDeps
  #pace: Pace | undefined
  #servers: readonly MllpServer[] = []
  #status: ChannelStatus
  #change: Promise<void> = Promise.resolve()

  constructor(settings: ListenerSettings, deps: ListenerDeps) {
    this.settings = settings
    this.#deps = deps
    this.#status = settings.isEnabled ? 'STARTING' : 'STOPPED'
  }

  get status(): ChannelStatus {
    return this.#status
  }

  /** Where it really listens; the configured port while it does not. */
  get port(): number {
    return this.#servers[0]?.port ?? this.settings.port
  }

  get connections(): number {
    return this.#servers.reduce((sum, { counters }) => sum + counters.connectionsOpen, 0)
  }

  /** Listens. A port that is taken makes the channel's status ERROR and nothing worse; calling again tries again. */
  open(): Promise<void> {
    return this.#next(async () => {
      if (this.#servers.length > 0) return
      const { channel, hosts, messagesPerMinute } = this.settings
      const pace = new Pace(messagesPerMinute, this.#deps.clock)
      this.#pace = pace
      try {
        this.#servers = await this.#listen(hosts, pace)
        this.#status = 'RUNNING'
      } catch (thrown) {
        if (this.#status !== 'ERROR') {
          const { port } = this.settings
          this.#deps.log.error('bridge.channel-not-listening', {
            ...{ channel: channel.id, port, error: faultOf(thrown).message },
          })
        }
        this.#status = 'ERROR'
      }
    })
  }

  /** Takes no more connections, finishes and answers the message that each one is at, also of a batch, and closes them. */
  close(status: 'PAUSED' | 'STOPPED', graceMs: number): Promise<void> {
    return this.#next(async () => {
      const servers = this.#servers
      this.#servers = []
      this.#status = status
      this.#pace?.end()
      await Promise.all(servers.map((server) => server.close({ graceMs })))
    })
  }

  /** Changes follow each other, whoever asks for them. */
  #next(change: () => Promise<void>): Promise<void> {
    this.#change = this.#change.then(change)
    return this.#change
  }

  /** On every address that this machine has, as services listen for HTTP; it is a fault when it has none of them. */
  async #listen(hosts: readonly string[], pace: Pace): Promise<MllpServer[]> {
    const servers: MllpServer[] = []
    let missing: unknown
    for (const host of hosts) {
      try {
        // With port 0 the second address must get the port that the first one was given.
        servers.push(await this.#start(host, servers[0]?.port ?? this.settings.port, pace))
      } catch (thrown) {
        if (isAddressMissing(thrown)) {
          missing ??= thrown // a machine without IPv6
          continue
        }
        await Promise.all(servers.map((server) => server.close({ graceMs: 0 })))
        throw thrown
      }
    }
    if (servers.length === 0 && missing !== undefined) throw missing
    this.#warnIfOpen(hosts)
    return servers
  }

  /** Whoever can reach such a port can read and change what is sent to it. */
  #warnIfOpen(hosts: readonly string[]): void {
    const { channel, tls, port } = this.settings
    const open = hosts.find((host) => !isLoopbackHost(host))
    if (open === undefined || tls !== undefined) return
    this.#deps.log.warn('bridge.channel-without-tls', { channel: channel.id, host: open, port })
  }

  #start(host: string, port: number, pace: Pace): Promise<MllpServer> {
    const { channel, tls, allowed, connectionsMax, frameBytesMax, frameTimeoutMs, idleTimeoutMs } = this.settings
    const { receive, onEvent, onRefused, log } = this.#deps
    const options: MllpServerOptions = {
      ...{ host, port, connectionsMax, frameBytesMax, frameTimeoutMs, idleTimeoutMs },
      ...(tls === undefined ? {} : { tls }),
      ...(allowed === undefined ? {} : { allowed }),
      ...{ onEvent, onRefused },
      answersWanted: (message) => answerPlan(message, channel.ackMode),
      onMessage: async (bytes, peer, send, markAccepted) => {
        const turn = () => pace.turn()
        if (await turn()) await receive({ bytes, channel, peer, send, markAccepted, turn })
        return undefined
      },
      onOversize: ({ head, length }, peer, send) =>
        receive({ bytes: head, tooLarge: { length, frameBytesMax }, channel, peer, send, markAccepted: () => {} }),
    }
    return startMllpServer(options, { ...this.#deps, log: log.with({ channel: channel.id }) })
  }
}

const isAddressMissing = (thrown: unknown): boolean => {
  const cause = faultOf(thrown).cause
  return cause instanceof Error && 'code' in cause && (cause.code === 'EADDRNOTAVAIL' || cause.code === 'EAFNOSUPPORT')
}
