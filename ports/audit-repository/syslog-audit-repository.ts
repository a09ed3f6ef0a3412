import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { Clock } from '../../packages/clock/clock.ts'
import { unavailable, type Fault } from '../../packages/faults/fault.ts'
import { serverNameOf } from '../../packages/keys/server-name.ts'
import type { AuditMessage, AuditRepository } from './audit-repository.ts'
import { syslogFrame, syslogMessage, type SyslogSender } from './syslog.ts'

export interface SyslogRepositoryOptions extends SyslogSender {
  readonly repository: {
    readonly host: string
    readonly port: number
    /** As it is now; asked for at each connection. */
    readonly tls: () => RepositoryTls
  }
  readonly clock: Clock
  /** For a whole batch, from connecting to the closing of the connection. */
  readonly deadlineMs?: number
}

/** PEM texts. */
export interface RepositoryTls {
  /** Who must have signed the repository's certificate; the system's authorities when not given. */
  readonly ca?: string | undefined
  /** What we show to a repository that asks for a certificate (ITI-19). */
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/**
 * An audit repository behind RFC 5425. Syslog has no answer, so a batch counts as taken when the connection it went
 * over was closed by both sides after its last byte (section 4.4): whatever breaks before that is sent again.
 */
export function syslogAuditRepository(options: SyslogRepositoryOptions): AuditRepository {
  // Made once for each certificate: reading those of the authorities costs more than a batch.
  let made: { readonly tls: RepositoryTls; readonly context: SecureContext } | undefined
  // A session that is resumed saves the repository the costly half of the handshake.
  let session: Buffer | undefined
  const contextNow = () => {
    const tls = options.repository.tls()
    if (made?.tls === tls) return made.context
    session = undefined
    made = { tls, context: contextOf(tls) }
    return made.context
  }
  return {
    async send(messages, { signal } = {}) {
      if (messages.length === 0) return
      const { clock, deadlineMs = 30_000 } = options
      using deadline = clock.deadline(deadlineMs)
      const ended = AbortSignal.any([deadline.signal, ...(signal === undefined ? [] : [signal])])
      const context = contextNow()
      const socket = openSocket(options.repository, context, session)
      socket.on('session', (newer) => {
        if (made?.context === context) session = newer
      })
      await sendAll(socket, framesOf(messages, options), ended)
    },
  }
}

const framesOf = (messages: readonly AuditMessage[], sender: SyslogSender) =>
  Buffer.concat(messages.map((message) => syslogFrame(syslogMessage(message, sender))))

type Repository = SyslogRepositoryOptions['repository']

const contextOf = ({ ca, cert, key }: RepositoryTls): SecureContext =>
  createSecureContext({
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  })

function openSocket({ host, port }: Repository, secureContext: SecureContext, session: Buffer | undefined): TLSSocket {
  const common = { host, port, secureContext, noDelay: true, ...serverNameOf(host) }
  return connect({ ...common, ...(session === undefined ? {} : { session }) })
}

function sendAll(socket: TLSSocket, bytes: Buffer, ended: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let isEndedByPeer = false
    let isAllWritten = false
    let isEstablished = false
    let failure: unknown
    const giveUp = () => socket.destroy(ended.reason instanceof Error ? ended.reason : new Error('given up'))
    ended.addEventListener('abort', giveUp, { once: true })
    if (ended.aborted) giveUp()
    socket.on('error', (error) => (failure = error))
    socket.once('secureConnect', () => {
      isEstablished = true
      socket.end(bytes, () => (isAllWritten = true))
    })
    // Nothing is ever sent back; reading is how the end is seen.
    socket.on('data', () => {})
    socket.once('end', () => (isEndedByPeer = isAllWritten))
    socket.once('close', () => {
      ended.removeEventListener('abort', giveUp)
      if (isEndedByPeer && failure === undefined) resolve()
      else reject(notTaken(failure, isEstablished && !ended.aborted ? brokenOffCode : 'AUDIT_REPOSITORY'))
    })
  })
}

const brokenOffCode = 'AUDIT_BROKEN_OFF'

/** Whether the repository was there and ended the connection itself: it is in trouble, or will not take what was sent. */
export const isBrokenOff = ({ code }: Fault): boolean => code === brokenOffCode

function notTaken(cause: unknown, code: string) {
  const logged =
    cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection was not closed in order'
  return unavailable('The audit repository has not taken the records.', { code, logged, cause })
}
