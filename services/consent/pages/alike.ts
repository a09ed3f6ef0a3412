import type { DecidingRecord } from '../record/consent-record.ts'
import { resourceScopesOf } from '../record/derive.ts'

/** `null` is everybody who is not named in any record. */
export type Actor = string | null

/** Of whom every record says the same: what is asked of one is asked of all. */
export interface ActorsAlike {
  readonly actors: readonly Actor[]
  /** The records that concern them, as they are and as they would be. */
  readonly before: readonly DecidingRecord[]
  readonly after: readonly DecidingRecord[]
}

/** Those whom the records name apart and say the same of, as a policy for each facility does. */
export function actorsAlike(
  actors: readonly Actor[],
  before: readonly DecidingRecord[],
  after: readonly DecidingRecord[],
): readonly ActorsAlike[] {
  const [was, is] = [byActor(before), byActor(after)]
  const shapeOf = shapes()
  const keyOf = (actor: Actor) =>
    [was, is].map((by) => [...new Set(namedIn(by, actor).map(shapeOf))].sort((a, b) => a - b).join(',')).join('|')
  return [...Map.groupBy(actors, keyOf).values()].map((alike) => {
    const [actor = null] = alike
    const concerning = (by: ByActor) => [...(by.get(null) ?? []), ...namedIn(by, actor)]
    return { actors: alike, before: concerning(was), after: concerning(is) }
  })
}

type ByActor = ReadonlyMap<Actor, readonly DecidingRecord[]>

const byActor = (records: readonly DecidingRecord[]): ByActor =>
  Map.groupBy(records, ({ actorReference }) => actorReference)

const namedIn = (by: ByActor, actor: Actor) => (actor === null ? [] : (by.get(actor) ?? []))

/** A number for all that a decision looks at in a record, but for whom it names and which one is reported. */
function shapes(): (record: DecidingRecord) => number {
  const known = new Map<string, number>()
  return (record) => {
    const { provisionType, patientId, isDomainPolicy, status, periodStart, periodEnd } = record
    const { resourceClasses, scopeValues, permittedOperations, purposes } = record
    const said = JSON.stringify([
      ...[provisionType, patientId, isDomainPolicy, status, periodStart, periodEnd],
      ...[resourceClasses, scopeValues, permittedOperations, purposes],
    ])
    const number = known.get(said) ?? known.size
    known.set(said, number)
    return number
  }
}

/** Types that no record tells apart: a list of all of them is a handful. */
export function typesAlike(
  types: readonly string[],
  records: readonly DecidingRecord[],
): readonly (readonly string[])[] {
  const lists = new Map(
    records.map(({ resourceClasses, scopeValues }) => [
      JSON.stringify([resourceClasses, scopeValues]),
      { classes: new Set(resourceClasses), scopes: scopesByType(scopeValues) },
    ]),
  )
  const keyOf = (type: string) =>
    [...lists.values()].map(({ classes, scopes }) => `${classes.has(type)} ${scopes.get(type)}`).join()
  return [...Map.groupBy(types, keyOf).values()]
}

/** What the scopes that name a type say of it. */
function scopesByType(scopeValues: readonly string[]): ReadonlyMap<string, string> {
  const byType = Map.groupBy(resourceScopesOf(scopeValues), ({ type }) => type)
  return new Map(
    [...byType].map(([type, scopes]) => [
      type,
      scopes.map(({ letters, query }) => (query === undefined ? letters : `${letters}?`)).join('+'),
    ]),
  )
}
