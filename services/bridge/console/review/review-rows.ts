import type { Address, Patient } from '../../../../packages/fhir/r4.ts'
import { nameOf } from '../../../../packages/people/human-name.ts'
import { goldenIdOf, isGoldenRecord } from '../../../../ports/patient-index/golden-link.ts'
import type { PatientReview } from '../../../../ports/patient-index/patient-reviews.ts'

/** Two records that may be one person. */
export interface ReviewPair {
  readonly review: PatientReview
  readonly rows: readonly Likeness[]
  /** What tells this pair from the others. */
  readonly people: Pair<Person>
  /** One of them is not there any more, or not for the reader: nobody could say what they are. */
  readonly isHalf: boolean
}

/** The new record, and the known one. */
export type Pair<Of> = readonly [one: Of, other: Of]

interface Person {
  /** Of the Patient; empty where it cannot be seen. */
  readonly id: string
  readonly name: string
}

/** The pair of a review from the records that were found: the candidate itself if it is there, else another of that person. */
export function pairOf(review: PatientReview, found: readonly Patient[]): ReviewPair {
  const { goldenId, candidateGoldenId, candidatePatientId } = review
  const records = found.filter((patient) => !isGoldenRecord(patient))
  const of = (golden: string) => records.filter(({ id = '', ...rest }) => goldenIdOf({ ...rest, id }) === golden)
  const [one] = of(goldenId)
  const others = of(candidateGoldenId)
  const other = others.find(({ id }) => id === candidatePatientId) ?? others[0]
  const isHalf = one === undefined || other === undefined
  return { review, rows: likenesses(one, other), people: [personOf(one), personOf(other)], isHalf }
}

export const personOf = (patient: Patient | undefined): Person => ({
  id: patient?.id ?? '',
  name: patient === undefined ? 'somebody who cannot be seen' : (nameOf(patient.name) ?? 'somebody without a name'),
})

/** One thing that is known of two records. */
export interface Likeness {
  readonly label: string
  readonly one: string
  readonly other: string
  /** `aside`: it says nothing about whether they are one. */
  readonly is: 'agrees' | 'differs' | 'unknown' | 'aside'
}

/** What is known of either, side by side. */
export function likenesses(one: Patient | undefined, other: Patient | undefined): Likeness[] {
  return facts.flatMap(({ label, of, isAside = false }) => {
    const [left, right] = [one, other].map((patient) => (patient === undefined ? '' : (of(patient) ?? '')))
    if (left === undefined || right === undefined || (left === '' && right === '')) return []
    return [{ label, one: left || '–', other: right || '–', is: isAside ? 'aside' : compared(left, right) } as const]
  })
}

function compared(left: string, right: string): 'agrees' | 'differs' | 'unknown' {
  if (left === '' || right === '') return 'unknown'
  return folded(left) === folded(right) ? 'agrees' : 'differs'
}

const folded = (value: string): string => value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

interface Fact {
  readonly label: string
  readonly of: (patient: Patient) => string | undefined
  readonly isAside?: boolean
}

const facts: readonly Fact[] = [
  { label: 'Name', of: ({ name }) => nameOf(name) },
  { label: 'Born', of: ({ birthDate }) => birthDate },
  { label: 'Sex', of: ({ gender }) => gender },
  { label: 'Phone', of: ({ telecom = [] }) => listed(telecom.map(({ value }) => value)) },
  { label: 'Address', of: ({ address = [] }) => listed(address.map(addressText)) },
  {
    label: 'Numbers',
    of: ({ identifier = [] }) =>
      listed(identifier.map(({ system, value }) => value && `${value} (${system?.split(/[/:]/).at(-1) ?? ''})`)),
  },
  { label: 'Record', of: ({ id }) => id, isAside: true },
]

const listed = (values: readonly (string | undefined)[]): string => values.filter(Boolean).join(', ')

const addressText = ({ text, line = [], postalCode, city, country }: Address): string | undefined =>
  text ?? listed([...line, postalCode, city, country])
