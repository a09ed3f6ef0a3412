import type { Clock } from '../../../packages/clock/clock.ts'
import { every, type Recurring } from '../../../packages/clock/every.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Terminology } from '../../../ports/terminology/terminology.ts'
import { readTermsVersion } from '../store/terms-version.ts'
import type { KnownTerms } from './known-terms.ts'

interface WatchDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly terminology: Pick<Terminology, 'state'>
  readonly terms: Pick<KnownTerms, 'hear' | 'hearState' | 'hearNotice'>
}

const everyMs = 2_000

/** For messages that come in: those that are run again bring the version along (`durable/claims.ts`). */
export function watchTerms(deps: WatchDeps): Recurring {
  const { database, terminology, terms } = deps
  const work = async () => {
    terms.hear(await readTermsVersion(database))
    const state = await terminology.state?.()
    if (state !== undefined) terms.hearState(state)
  }
  const looking = every(everyMs, { work, failed: 'bridge.terms-not-read', atOnce: true }, deps)
  // One in another process has no state to look at. Where it is Corridor's own, it tells of what it has learned.
  const notices =
    terminology.state === undefined ? database.hear('corridor_terminology', () => terms.hearNotice()) : undefined
  return { end: async () => void (await Promise.all([looking.end(), notices?.end()])) }
}
