import { setImmediate } from 'node:timers/promises'
import { fhirOperations, letterOf, type AccessRequest, type FhirOperation } from '../access-request.ts'
import { decide } from '../decide.ts'
import type { ImplicitPolicy } from '../implicit-policy.ts'
import { isKindOf, isPurposeOfHl7, purposeBeside } from '../purposes.ts'
import type { DecidingRecord } from '../record/consent-record.ts'
import { resourceScopesOf } from '../record/derive.ts'
import { actorsAlike, typesAlike, type Actor, type ActorsAlike } from './alike.ts'
import { purposeWords, typeWords } from './words.ts'

/** Answers that turn round, told together where they are alike. */
export interface Change {
  readonly actors: readonly Actor[]
  /** What the answer becomes. */
  readonly permitted: boolean
  /** `all` where every kind of data turns round, also those that neither a record nor a page has a name for. */
  readonly types: readonly string[] | 'all'
  /** Letters of `cruds`. */
  readonly letters: string
  /** The same of purposes. */
  readonly purposes: readonly string[] | 'all'
}

export interface Proposal {
  readonly patientId: string
  readonly before: readonly DecidingRecord[]
  readonly after: readonly DecidingRecord[]
  /** What is added and what is taken away: nothing turns round but what they are about. */
  readonly changed: readonly Pick<
    DecidingRecord,
    'provisionType' | 'actorReference' | 'resourceClasses' | 'purposes' | 'permittedOperations'
  >[]
}

/** Every usual question that a proposal may turn round, but one for all that no record tells apart. */
export interface Questions {
  readonly patientId: string
  /** In the order in which they are told, as are the types. */
  readonly actors: readonly Actor[]
  readonly types: readonly string[]
  readonly purposes: readonly string[]
  /** What is asked for `furtherPurposes`. */
  readonly furtherPurpose: string
  readonly whom: readonly ActorsAlike[]
  readonly kinds: readonly (readonly string[])[]
  readonly asked: readonly Question[]
  /** There were more than may be asked: whom only policies name comes last, and is left out first. */
  readonly isCut: boolean
}

interface Question {
  /** The place of those for whom it is asked among all who are alike, and of the types. */
  readonly who: number
  readonly kind: number
  readonly operation: FhirOperation
  readonly purpose: string
}

export function questionsOf(proposal: Proposal, max: number): Questions {
  const { patientId, before, after } = proposal
  const [actors, types] = [actorsIn(proposal), typesIn(proposal)]
  const [whom, kinds] = [actorsAlike(actors, before, after), typesAlike(types, [...before, ...after])]
  const operations = operationsIn(proposal)
  const { purposes, furtherPurpose } = purposesIn(proposal)
  const ofOne = kinds.flatMap((_, kind) =>
    operations.flatMap((operation) => purposes.map((purpose) => ({ kind, operation, purpose }))),
  )
  const asked = whom
    .slice(0, Math.ceil(max / Math.max(ofOne.length, 1)))
    .flatMap((_, who) => ofOne.map((question) => ({ who, ...question })))
    .slice(0, max)
  const isCut = asked.length < whom.length * ofOne.length
  return { patientId, actors, types, purposes, furtherPurpose, whom, kinds, asked, isCut }
}

/** Whoever no record names gets the answers that everybody else gets. Whom the patient's own records name comes first. */
function actorsIn({ before, after, changed }: Proposal): Actor[] {
  const concerned = changed.map(({ actorReference }) => actorReference)
  if (!concerned.includes(null)) return [...new Set(concerned)]
  const all = [...before, ...after]
  const named = (records: readonly DecidingRecord[]) =>
    records.map(({ actorReference }) => actorReference).filter((actor) => actor !== null)
  return [...new Set([...named(all.filter(({ patientId }) => patientId !== null)), null, ...named(all)])]
}

/** Stands for every type that no record names and that is none of the usual ones: of them all a decision says the same. */
export const furtherTypes = ''

/** Where a record is about everything, what others name turns round by itself, or not at all. */
function typesIn({ before, after, changed }: Proposal): string[] {
  const types = new Set([...Object.keys(typeWords), ...changed.flatMap(({ resourceClasses }) => resourceClasses)])
  if (changed.some(({ resourceClasses }) => resourceClasses.length === 0)) {
    return [...new Set([...types, ...[...before, ...after].flatMap(namedTypes)]), furtherTypes]
  }
  return [...types].filter((type) => changed.some(({ resourceClasses }) => resourceClasses.includes(type)))
}

const namedTypes = ({ resourceClasses, scopeValues }: DecidingRecord): readonly string[] => [
  ...resourceClasses,
  ...resourceScopesOf(scopeValues).flatMap(({ type }) => (type === '*' ? [] : [type])),
]

const operationsIn = ({ changed }: Proposal) =>
  fhirOperations.filter((operation) =>
    changed.some(({ permittedOperations }) => permittedOperations.includes(letterOf[operation])),
  )

/** Stands for every purpose of HL7's that no record names and that is none of the usual ones, nor a kind of any of them. */
export const furtherPurposes = ''

/**
 * Beside the usual ones those that a record names: what is refused for a purpose is refused for its kinds, too, and for those
 * of the country's own that no permit makes known.
 */
function purposesIn({ before, after, changed }: Proposal): Pick<Questions, 'purposes' | 'furtherPurpose'> {
  const named = [...Object.keys(purposeWords), ...[...before, ...after].flatMap(({ purposes }) => purposes)]
  if (changed.some(({ purposes }) => purposes.length === 0)) {
    const furtherPurpose = purposeBeside(named)
    const further = furtherPurpose === undefined ? [] : [furtherPurposes]
    return { purposes: [...new Set([...named, ...further])], furtherPurpose: furtherPurpose ?? '' }
  }
  const purposes = [...new Set(named)].filter((purpose) =>
    changed.some(
      ({ provisionType, purposes: own }) =>
        own.some((one) => isKindOf(purpose, one)) || (provisionType === 'deny' && !isPurposeOfHl7(purpose)),
    ),
  )
  return { purposes, furtherPurpose: '' }
}

/** A step that concerns everybody is many questions: others get their turn in between. */
const questionsATurn = 20

/** Which answers of a day turn round: every question is decided with the records of before and of after. */
export async function whatChanges(
  { patientId, actors, types, purposes, furtherPurpose, whom, kinds, asked }: Questions,
  day: string,
  implicitPolicy: ImplicitPolicy,
): Promise<Change[]> {
  const answer = (records: readonly DecidingRecord[], request: AccessRequest) =>
    decide(records, request, day, implicitPolicy).permitted
  const flips: (Question & { readonly permitted: boolean })[] = []
  for (const [place, question] of asked.entries()) {
    if (place % questionsATurn === questionsATurn - 1) await setImmediate()
    const { who, kind, operation, purpose } = question
    const { actors: [actor = null] = [], before = [], after = [] } = whom[who] ?? {}
    const [resourceType = ''] = kinds[kind] ?? []
    const actorReferences = actor === null ? [] : [actor]
    const purposeOfUse = purpose === furtherPurposes ? furtherPurpose : purpose
    const request = { patientId, actorReferences, resourceType, operation, purposeOfUse }
    const permitted = answer(after, request)
    if (answer(before, request) !== permitted) flips.push({ permitted, ...question })
  }
  // Alike first in what and why, then in who: one line says it for all of them.
  const byPurposes = joined(
    flips.map(({ purpose, ...rest }) => ({ ...rest, purposes: [purpose] })),
    'purposes',
  )
  const byLetters = joined(
    byPurposes.map(({ operation, ...rest }) => ({ ...rest, letters: [letterOf[operation] as string] })),
    'letters',
  )
  const byTypes = joined(
    byLetters.map(({ kind, ...rest }) => ({ ...rest, types: [...(kinds[kind] ?? [])] })),
    'types',
  )
  const byActors = joined(
    byTypes.map(({ who, ...rest }) => ({ ...rest, places: [who] })),
    'places',
  )
  return byActors.map(({ letters, places, ...rest }) => {
    const meant = new Set(places.flatMap((who) => whom[who]?.actors ?? []))
    return {
      ...rest,
      actors: actors.filter((actor) => meant.has(actor)),
      types: told(types, rest.types, furtherTypes),
      purposes: told(purposes, rest.purposes, furtherPurposes),
      letters: letters.join(''),
    }
  })
}

/** In their order, or in one word. */
function told(asked: readonly string[], turned: readonly string[], further: string): readonly string[] | 'all' {
  const found = asked.filter((one) => turned.includes(one))
  return found.includes(further) && found.length === asked.length ? 'all' : found
}

/** Rows that differ in nothing but one list become one row with all of them. */
function joined<Key extends string, Row extends Readonly<Record<Key, readonly unknown[]>>>(
  rows: readonly Row[],
  key: Key,
): Row[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify({ ...row, [key]: undefined }))
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [{ ...first, [key]: [first, ...rest].flatMap((row) => row[key]) }],
  )
}
