import { seededRandom } from '../../../../packages/clock/ids.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { blockingKeys } from '../blocking-keys.ts'
import { nameFrequency, type NameCount } from '../name-frequency.ts'
import { personOf, type Person } from '../person.ts'
import { rank, type Candidate, type Match } from '../rank.ts'
import { corrupted } from './corruptions.ts'
import { pick, population } from './population.ts'
import { stranger } from './strangers.ts'

interface Quality {
  /** Of those named, how many are right. */
  readonly precision: number
  /** Of those who are known, how many are found. */
  readonly recall: number
  readonly wrong: readonly Wrong[]
}

interface Wrong {
  readonly asked: Patient
  readonly named: Match
}

interface Evaluation {
  readonly certain: Quality
  readonly probable: Quality
  readonly candidatesPerQuery: number
}

/** Asks for people of whom it is known whether they are in the index: three of four are, with mistakes. */
export function evaluate({ size, queries, seed }: { size: number; queries: number; seed: number }): Evaluation {
  const random = seededRandom(seed)
  const patients = population(size, random)
  const index = memoryIndex(patients)
  const asked = Array.from({ length: queries }, (_, number) => {
    const isKnown = random.below(4) > 0
    const original = pick(patients, random)
    const id = `q${number}`
    return isKnown
      ? { truth: original.id, patient: corrupted(original, id, random) }
      : { truth: undefined, patient: stranger(id, patients, random) }
  })
  let candidates = 0
  const answers = asked.map(({ truth, patient }) => {
    const person = personOf(patient)
    const found = index.candidates(person)
    candidates += found.length
    return { truth, patient, best: rank(person, found, { frequency: index.frequency, isTruncated: false })[0] }
  })
  const known = asked.filter(({ truth }) => truth !== undefined).length
  const quality = (isNamed: (match: Match) => boolean): Quality => {
    const named = answers.flatMap(({ truth, patient, best }) =>
      best !== undefined && isNamed(best) ? [{ asked: patient, named: best, isRight: best.patientId === truth }] : [],
    )
    const right = named.filter(({ isRight }) => isRight).length
    return {
      precision: right / named.length,
      recall: right / known,
      wrong: named.filter(({ isRight }) => !isRight),
    }
  }
  return {
    certain: quality(({ grade }) => grade === 'certain'),
    probable: quality(({ grade }) => grade !== 'possible'),
    candidatesPerQuery: candidates / queries,
  }
}

function memoryIndex(patients: readonly Patient[]) {
  const byKey = new Map<string, Candidate[]>()
  const counts = new Map<string, { kind: NameCount['kind']; name: string; count: number }>()
  for (const patient of patients) {
    const person = personOf(patient)
    const patientId = patient.id ?? ''
    for (const key of blockingKeys(person)) {
      const others = byKey.get(key) ?? []
      others.push({ patientId, goldenId: patientId, person })
      byKey.set(key, others)
    }
    for (const part of nameParts(person)) {
      const key = `${part.kind} ${part.name}`
      counts.set(key, { ...part, count: (counts.get(key)?.count ?? 0) + 1 })
    }
  }
  return {
    frequency: nameFrequency([...counts.values()], patients.length),
    candidates: (person: Person) => [
      ...new Map(
        blockingKeys(person).flatMap((key) => (byKey.get(key) ?? []).map((found) => [found.patientId, found] as const)),
      ).values(),
    ],
  }
}

function nameParts(person: Person) {
  return person.names.flatMap(({ family, given }) => [
    ...family.split(' ').map((name) => ({ kind: 'family' as const, name })),
    ...given.split(' ').map((name) => ({ kind: 'given' as const, name })),
  ])
}
