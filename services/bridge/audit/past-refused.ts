import { LRUCache } from 'lru-cache'
import { faultOf, unprocessable } from '../../../packages/faults/fault.ts'
import { asFarAsPossible } from '../../../packages/sql/tasks/as-far-as-possible.ts'
import type { AuditMessage } from '../../../ports/audit-repository/audit-repository.ts'
import { isBrokenOff } from '../../../ports/audit-repository/syslog-audit-repository.ts'

interface IdentifiedMessage extends AuditMessage {
  /** Of its record, over all attempts. */
  readonly id: string
}

type Send<Message> = (messages: readonly Message[], signal: AbortSignal) => Promise<void>

/**
 * Syslog has no refusal: a repository that will not take a record breaks the connection off, and so does one in trouble.
 * It is a record's own fault only where others are taken at that time: one of a batch, the smallest, is tried alone, and
 * where that fails, too, all of them wait, and the next time another one is tried. Else the others are sent half by half,
 * and whoever fails alone is `unprocessable`. What was taken beside it is not sent again when its task is.
 */
export function pastRefused<Message extends IdentifiedMessage>(send: Send<Message>): Send<Message> {
  /** Found out among others that were taken, and not yet told so when it was tried alone. */
  const suspects = recentIds()
  const failedAlone = recentIds()
  const taken = recentIds()
  const sendPart: Send<Message> = async (some, signal) => {
    try {
      await send(some, signal)
      for (const { id } of some) taken.set(id, true)
    } catch (thrown) {
      if (!isBrokenOff(faultOf(thrown))) throw thrown
      if (some[0] !== undefined && some.length === 1) {
        suspects.set(some[0].id, true)
        failedAlone.set(some[0].id, true)
      }
      throw refused(thrown)
    }
  }
  /** The smallest of those that have not failed alone; after all of them, from the beginning. */
  const probeOf = (messages: readonly Message[]): Message | undefined => {
    const bySize = messages.toSorted((one, other) => one.xml.length - other.xml.length)
    const probe = bySize.find(({ id }) => !failedAlone.has(id))
    if (probe === undefined) for (const { id } of messages) failedAlone.delete(id)
    return probe ?? bySize[0]
  }
  return async (messages, signal) => {
    const open = messages.filter(({ id }) => !taken.has(id))
    if (open.length === 0) return
    try {
      await send(open, signal)
    } catch (thrown) {
      if (!isBrokenOff(faultOf(thrown))) throw thrown
      if (open.every(({ id }) => suspects.has(id))) {
        for (const { id } of open) suspects.delete(id)
        throw refused(thrown)
      }
      const probe = probeOf(open)
      if (probe === undefined || open.length === 1) throw thrown
      failedAlone.set(probe.id, true)
      await send([probe], signal)
      failedAlone.delete(probe.id)
      taken.set(probe.id, true)
      const others = open.filter((message) => message !== probe)
      await asFarAsPossible(others, (some) => sendPart(some, signal))
    }
  }
}

/** The newest ids of which something is known: what is older is over, or is found out once more. */
const recentIds = () => new LRUCache<string, true>({ max: recentMax })

/** Many times what goes over one connection. */
const recentMax = 20_000

const refused = (cause: unknown) =>
  unprocessable('The audit repository breaks off at this record.', { code: 'AUDIT_RECORD_REFUSED', cause })
