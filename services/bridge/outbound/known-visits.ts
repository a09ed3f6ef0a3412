import type { Encounter } from '../../../packages/fhir/r4.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { ResourceMatching, SoughtVersion } from '../../../ports/resource-matching/resource-matching.ts'
import { referenceTo } from '../pipeline/write-event.ts'
import { versionBefore } from '../version-before.ts'
import type { Matched } from './match-subscriptions.ts'
import { toldVersions } from './store/told-versions.ts'

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
  const visits = matched.filter(isTold)
  const told = await toldVersions(visits.map(subjectOf), database)
  const earlier = visits.flatMap(({ change }) => versionBefore(change) ?? [])
  const found = earlier.length === 0 ? [] : await matching.readVersions(earlier, call)
  // Sound: these are versions of visits.
  const before = new Map(earlier.map((version, index) => [nameOf(version), found[index] as Encounter | undefined]))
  const known = new Map<Matched, KnownVisit>()
  for (const one of visits) {
    const versions = told.of(subjectOf(one))
    const version = versionBefore(one.change)
    known.set(one, {
      isKnown: versions.size > 0,
      isKnownAsBefore: version?.version !== undefined && versions.has(version.version),
      before: version && before.get(nameOf(version)),
    })
    // Whatever comes later of these finds it told.
    versions.add(one.change.versionId ?? '')
  }
  return (one) => known.get(one)
}

const isTold = ({ resource, subscription: { channel } }: Matched): boolean =>
  resource.resourceType === 'Encounter' && channel !== 'rest-hook'

const subjectOf = ({ subscription, change }: Matched) => ({
  subscriptionId: subscription.id,
  resource: referenceTo(change),
})

const nameOf = ({ id, version = '' }: SoughtVersion): string => `${id} ${version}`
