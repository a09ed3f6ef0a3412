import { expect, it } from 'vitest'
import type {
  DiagnosticReport,
  DocumentReference,
  FhirResource,
  Observation,
  Patient,
  Reference,
  ServiceRequest,
} from '../../../packages/fhir/r4.ts'
import type { Mapped, Write } from '../mapping/mapped.ts'
import type { FindDeps } from './find-deps.ts'
import { referenceTo, type StoredDocument, type StoredResource } from './stored.ts'
import { withMoves } from './moves.ts'
import { planWrites } from './plan-writes.ts'

/** A message may have 100,000 segments: what it says of each thing must not be looked for among all the others. */

const count = 500

const write = (resource: FhirResource, fullUrl: string, changes: Partial<Write> = {}): Write => ({
  ...{ fullUrl, key: { parameter: 'identifier', system: 'urn:x', value: fullUrl }, mode: 'upsert', resource },
  ...{ defaults: {}, deletes: [], removes: [], ...changes },
})

const numbers = Array.from({ length: count }, (_, index) => index)

it('of each result that comes late it is known at once whether it was taken back', () => {
  const base = 'https://corridor.example'
  const extension = [{ url: `${base}/StructureDefinition/said-at`, valueDateTime: '2026-03-04T10:00:00Z' }]
  const code = { text: 'x' }
  let looks = 0
  const watched = (one: StoredResource): StoredResource =>
    new Proxy(one, {
      get: (target, name) => {
        looks++
        return Reflect.get(target, name) as unknown
      },
    })
  const result = (index: number): Observation & StoredResource => ({
    ...{ resourceType: 'Observation', id: String(index), code, status: index === 0 ? 'entered-in-error' : 'final' },
  })
  const report: DiagnosticReport = { resourceType: 'DiagnosticReport', status: 'final', code }
  const said = { ...report, result: numbers.map((index): Reference => ({ reference: `urn:uuid:${index}` })) }
  const mapped: Mapped = {
    ...{ writes: [write(said, 'urn:uuid:report')], patients: [], needs: [], warnings: [] },
    saidAt: '2026-03-04T09:00:00Z',
  }
  const stored = new Map<string, StoredResource>([
    ['urn:uuid:report', { ...report, id: 'r', meta: { extension } }],
    ...numbers.map((index) => [`urn:uuid:${index}`, watched(result(index))] as const),
  ])
  const { writes } = planWrites(mapped, stored, base)
  const joined = writes[0]?.resource as DiagnosticReport
  expect(joined.result?.map(({ reference }) => reference)).toEqual(
    numbers.slice(1).map((index) => `Observation/${index}`),
  )
  expect(looks).toBeLessThan(20 * count)
})

it('of each order beside results that move it is known at once whether it goes with them', async () => {
  let looks = 0
  const to = (): Reference => ({
    get reference() {
      looks++
      return 'urn:uuid:right'
    },
  })
  const from: Reference = { reference: 'Patient/wrong' }
  const result = (subject: Reference): Observation => ({
    ...{ resourceType: 'Observation', status: 'final', code: {}, subject },
  })
  const order = (): ServiceRequest => ({
    // Sound: the rest is among the defaults.
    ...({ resourceType: 'ServiceRequest', status: 'active' } as ServiceRequest),
  })
  const patients = ['urn:uuid:right', 'urn:uuid:other']
  const orderOf = (index: number) => {
    const subject = { reference: patients[index % 2] ?? '' }
    return write(order(), `urn:uuid:order-${index}`, { defaults: { subject } })
  }
  const writes = [
    ...numbers.map((index) => write(result(to()), `urn:uuid:result-${index}`)),
    ...numbers.map((index) => orderOf(index)),
  ]
  const stored = new Map<string, StoredResource>([
    ...numbers.map((index) => [`urn:uuid:result-${index}`, { ...result(from), id: `${index}` }] as const),
    ...numbers.map((index) => [`urn:uuid:order-${index}`, { ...order(), subject: from, id: `${index}` }] as const),
  ])
  // Sound: nothing but the patient who had the results is read, and nobody knows them.
  const deps = {
    store: { read: async () => undefined },
    breakers: { call: (_: string, work: () => Promise<unknown>) => work() },
  } as unknown as FindDeps
  const moved = await withMoves(writes, stored, new AbortController().signal, deps)
  const subjects = moved.writes.slice(count).map(({ resource }) => (resource as ServiceRequest).subject?.reference)
  expect(subjects).toEqual(numbers.map((index) => (index % 2 === 0 ? 'urn:uuid:right' : undefined)))
  expect(moved.writes.slice(0, count).every(({ deletes }) => deletes.includes('encounter'))).toBe(true)
  expect(looks).toBeLessThan(20 * count)
})

it('of each record that is merged away the survivor is known at once', () => {
  let looks = 0
  const watched = (one: Write): Write =>
    new Proxy(one, {
      get: (target, name) => {
        if (name === 'fullUrl') looks++
        return Reflect.get(target, name) as unknown
      },
    })
  const patient = (link: NonNullable<Patient['link']>): Patient => ({ resourceType: 'Patient', link })
  const survivors = numbers.map((index) =>
    write(patient([{ type: 'refer', other: { reference: `Patient/golden-${index}` } }]), `urn:uuid:survivor-${index}`),
  )
  const subsumed = numbers.map((index) =>
    write(patient([{ type: 'replaced-by', other: { reference: `urn:uuid:survivor-${index}` } }]), `urn:uuid:${index}`),
  )
  const writes = [...subsumed, ...survivors].map(watched)
  const plan = planWrites({ writes, patients: [], needs: [], warnings: [] }, new Map(), 'https://corridor.example')
  const link = [{ type: 'replaced-by' }, { type: 'refer', other: { reference: 'Patient/golden-0' } }]
  expect(plan.writes[0]).toMatchObject({ resource: { link } })
  expect(looks).toBeLessThan(40 * count)
})

it('of a document whose replacements all replace one another and are withdrawn it is known soon that it is current', () => {
  const system = 'urn:documents'
  const others = numbers.slice(0, 9)
  let looks = 0
  const document = (index: number, status: DocumentReference['status'], replaced: readonly number[]) =>
    new Proxy<StoredDocument>(
      {
        ...{ resourceType: 'DocumentReference', id: String(index), status, content: [] },
        identifier: [{ system, value: String(index) }],
        relatesTo: replaced.map((other) => ({
          code: 'replaces',
          target: { identifier: { system, value: String(other) } },
        })),
      },
      {
        get: (target, name) => {
          looks++
          return Reflect.get(target, name) as unknown
        },
      },
    )
  const original = document(100, 'superseded', [])
  const withdrawn = others.map((index) => document(index, 'entered-in-error', [...others, 100]))
  const chain = new Map([original, ...withdrawn].map((one) => [referenceTo(one), one]))
  const said = write(document(0, 'entered-in-error', []), 'urn:uuid:first', {
    replacementKey: { parameter: 'identifier', system, value: 'mark' },
  })
  const mapped: Mapped = { writes: [said], patients: [], needs: [], warnings: [] }
  const { writes } = planWrites(mapped, Object.assign(new Map<string, StoredResource>(), { chain }), 'urn:base')
  expect(writes.map(({ stored, resource }) => [stored?.id, resource])).toContainEqual([
    '100',
    expect.objectContaining({ status: 'current' }),
  ])
  expect(looks).toBeLessThan(1_000)
})
