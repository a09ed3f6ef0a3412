import type { Recurring } from '../../../packages/clock/every.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { Bell } from '../../../packages/sql/tasks/bell.ts'
import type { MergeNews } from './merge-news.ts'
import { lookForMerges, type LookDeps } from './look-for-merges.ts'

export interface WatchMergesDeps extends LookDeps {
  /** Where the store is of this process: nobody waits for the next look. */
  readonly news?: MergeNews | undefined
}

/** A store that is another product tells nobody of merges, and a refusal is to be known of the survivor soon. */
const lookEveryMs = 15_000
/** Beside news of merges, for those that other copies wrote, and while nobody listened. */
const lookBesideNewsMs = 60_000
/** Another copy has its turn: what it does takes about so long. */
const turnOfOtherMs = 500

/**
 * Lets the records of a service follow patients who are merged, for as long as it runs: looks once at the start, then from
 * time to time, and at once when it hears of a merge. What fails is done again with the next look.
 */
export function watchMerges(deps: WatchMergesDeps): Recurring {
  const { clock, news, log, database } = deps
  const ended = new AbortController()
  const bell = new Bell()
  const heard = new Set<string>()
  const hear = (patientIds: readonly string[]) => {
    for (const id of patientIds) heard.add(id)
  }
  const listen = (patientIds: readonly string[]) => {
    hear(patientIds)
    bell.ring()
  }
  const silence = news?.(listen)
  // The store of another process may be on the same database, and then tells of it there.
  const notices = news === undefined ? database.hear('corridor_patient_merges', (id) => listen([id])) : undefined
  const everyMs = news === undefined ? lookEveryMs : lookBesideNewsMs
  // Who was merged while this copy was away is looked for at once, whatever the others do.
  let isFirst = true
  const look = async (): Promise<number> => {
    const patientIds = [...heard]
    heard.clear()
    const isUrgent = isFirst || patientIds.length > 0
    try {
      const has = await lookForMerges({ patientIds, ...(isUrgent ? {} : { everyMs }) }, ended.signal, deps)
      if (has === 'looked') isFirst = false
      if (has === 'looked' || !isUrgent) return everyMs
      hear(patientIds)
      return turnOfOtherMs
    } catch (thrown) {
      hear(patientIds)
      const { kind, message, logged } = faultOf(thrown)
      if (!ended.signal.aborted) log.warn('merges could not be followed', { faultKind: kind, error: logged ?? message })
      return isUrgent ? lookEveryMs : everyMs
    }
  }
  const running = (async () => {
    while (!ended.signal.aborted) await bell.wait(clock, await look())
  })()
  return {
    end: async () => {
      silence?.()
      ended.abort()
      bell.ring()
      await Promise.all([running, notices?.end()])
    },
  }
}
