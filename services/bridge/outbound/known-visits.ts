import type { Encounter } from '../../../packages/fhir/r4.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { ResourceMatching, SoughtVersion } from '../../../ports/resource-matching/resource-matching.ts'
import { referenceTo } from '../pipeline/write-event.ts'
import { versionBefore } from '../version-before.ts'
import type { Matched } from './match-subscriptions.ts'
import { toldBefore } from './store/told-before.ts'

/** What a receiver knows of a visit of which it is to hear. */
export interface KnownVisit {
  /** It was told of a version before. */
  readonly isKnown: boolean
  /** It was told of the very version that this one has changed. */
  readonly isKnownAsBefore: boolean
  /** As the visit was before; undefined where nobody can say. */
  readonly before: Encounter | undefined
}

interface ReadDeps {
  readonly matching: ResourceMatching
  readonly database: Queryable
}

/**
 * Of the visits that messages and short messages tell of: these say what has happened, and hooks what is. One call and one
 * statement for all of them.
 */
export async function readKnownVisits(
  matched: readonly Matched[],
  { matching, database }: ReadDeps,
  call: CallOptions,
): Promise<(one: Matched) => KnownVisit | undefined> {
  const visits = matched.filter(isTold).map((one) => ({ one, ...subjectOf(one) }))
  const told = await toldBefore(visits, database)
  const earlier = visits.flatMap(({ one: { change } }) => versionBefore(change) ?? [])
  const found = earlier.length === 0 ? [] : await matching.readVersions(earlier, call)
  // Sound: these are versions of visits.
  const stored = new Map(earlier.map((version, index) => [nameOf(version), found[index] as Encounter | undefined]))
  const known = new Map<Matched, KnownVisit>()
  // What is told of now has no row yet, and what comes after it finds it told.
  const toldNow = new Map<string, Set<string | null>>()
  for (const [index, { one, subscriptionId, resource, before }] of visits.entries()) {
    const subject = `${subscriptionId} ${resource}`
    const now = toldNow.get(subject) ?? new Set()
    toldNow.set(subject, now)
    known.set(one, {
      isKnown: now.size > 0 || told[index]?.ofAny === true,
      isKnownAsBefore: (before !== undefined && now.has(before)) || told[index]?.ofBefore === true,
      before: before === undefined ? undefined : stored.get(nameOf({ id: one.change.id, version: before })),
    })
    now.add(one.change.versionId)
  }
  return (one) => known.get(one)
}

const isTold = ({ resource, subscription: { channel } }: Matched): boolean =>
  resource.resourceType === 'Encounter' && channel !== 'rest-hook'

const subjectOf = ({ subscription, change }: Matched) => ({
  subscriptionId: subscription.id,
  resource: referenceTo(change),
  before: versionBefore(change)?.version,
})

const nameOf = ({ id, version = '' }: Pick<SoughtVersion, 'id' | 'version'>): string => `${id} ${version}`
