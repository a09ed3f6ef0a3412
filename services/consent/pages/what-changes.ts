import { fhirOperations, letterOf, type AccessRequest, type FhirOperation } from '../access-request.ts'
import { decide } from '../decide.ts'
import type { ImplicitPolicy } from '../implicit-policy.ts'
import type { DecidingRecord } from '../record/consent-record.ts'
import { purposeWords, typeWords } from './words.ts'

/** Answers that turn round, told together where they are alike. */
export interface Change {
  /** `null` is everybody who is not named in any record. */
  readonly actors: readonly (string | null)[]
  /** What the answer becomes. */
  readonly permitted: boolean
  readonly types: readonly string[]
  /** Letters of `cruds`. */
  readonly letters: string
  readonly purposes: readonly string[]
}

export interface Proposal {
  readonly patientId: string
  readonly before: readonly DecidingRecord[]
  readonly after: readonly DecidingRecord[]
  /** What is added and what is taken away: nothing turns round but what they are about. */
  readonly changed: readonly Pick<DecidingRecord, 'actorReference' | 'resourceClasses' | 'purposes'>[]
}

const actorsMax = 40

/** Which answers of a day turn round: every usual question is decided with the records of before and of after. */
export function whatChanges(proposal: Proposal, day: string, implicitPolicy: ImplicitPolicy): Change[] {
  const flips = actorsIn(proposal).flatMap((actor) =>
    flipsOf(actor, proposal, day, implicitPolicy).map((flip) => ({ ...flip, actor })),
  )
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
    byLetters.map(({ type, ...rest }) => ({ ...rest, types: [type] })),
    'types',
  )
  const byActors = joined(
    byTypes.map(({ actor, ...rest }) => ({ ...rest, actors: [actor] })),
    'actors',
  )
  return byActors.map(({ letters, ...rest }) => ({ ...rest, letters: letters.join('') }))
}

/** Whoever no record names gets the answers that everybody else gets. */
function actorsIn({ before, after, changed }: Proposal): (string | null)[] {
  const concerned = changed.map(({ actorReference }) => actorReference)
  if (!concerned.includes(null)) return [...new Set(concerned)]
  const named = [...before, ...after].map(({ actorReference }) => actorReference).filter((actor) => actor !== null)
  return [...[...new Set(named)].slice(0, actorsMax), null]
}

interface Flip {
  readonly permitted: boolean
  readonly type: string
  readonly operation: FhirOperation
  readonly purpose: string
}

function flipsOf(actor: string | null, proposal: Proposal, day: string, implicitPolicy: ImplicitPolicy): Flip[] {
  const { patientId, before, after, changed } = proposal
  const types = [...new Set([...Object.keys(typeWords), ...changed.flatMap((one) => one.resourceClasses)])]
  const isForAny = changed.some((one) => one.purposes.length === 0)
  const purposes = isForAny ? Object.keys(purposeWords) : [...new Set(changed.flatMap((one) => one.purposes))]
  // Once for all questions: of a thousand policies a handful concerns one actor.
  const concerning = (records: readonly DecidingRecord[]) =>
    records.filter(({ actorReference }) => actorReference === null || actorReference === actor)
  const [recordsBefore, recordsAfter] = [concerning(before), concerning(after)]
  const answer = (records: readonly DecidingRecord[], request: AccessRequest) =>
    decide(records, request, day, implicitPolicy).permitted
  return types.flatMap((type) =>
    fhirOperations.flatMap((operation) =>
      purposes.flatMap((purpose) => {
        const actorReferences = actor === null ? [] : [actor]
        const request = { patientId, actorReferences, resourceType: type, operation, purposeOfUse: purpose }
        const permitted = answer(recordsAfter, request)
        return answer(recordsBefore, request) === permitted ? [] : [{ permitted, type, operation, purpose }]
      }),
    ),
  )
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
