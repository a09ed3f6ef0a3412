import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fhirOperations, letterOf, type AccessRequest } from './access-request.ts'
import { checkCandidates, isForPurpose } from './checks.ts'
import { decide } from './decide.ts'
import { provisionTypes, type ConsentRecord } from './record/consent-record.ts'
import { recordWith } from './testing/record-fixture.ts'

const types = ['Observation', 'Condition', 'Patient']
const actors = ['Organization/central', 'Device/app', 'Organization/lakeside']
const scopes = [
  ...['patient/Observation.rs', 'patient/*.r', 'patient/Condition.write', 'system/*.cruds', 'launch'],
  ...['patient/Observation.cruds?category=laboratory', 'user/Patient.s', 'patient/Patient.cu?gender=female'],
]
const days = ['2026-01-01', '2026-06-14', '2026-06-15', '2026-06-16', '2026-12-31']
const dayOrOpen = fc.option(fc.constantFrom(...days))

const anyRecord = fc
  .record({
    id: fc.nat(1_000_000),
    patientId: fc.constantFrom('Patient/p1', 'Patient/p2', null),
    isAdmins: fc.boolean(),
    actorReference: fc.option(fc.constantFrom(...actors)),
    provisionType: fc.constantFrom(...provisionTypes),
    resourceClasses: fc.subarray(types),
    scopeValues: fc.subarray(scopes),
    status: fc.constantFrom('active', 'inactive'),
    periodStart: dayOrOpen,
    periodEnd: dayOrOpen,
    purposes: fc.subarray(['TREAT', 'HRESCH', 'CLINTRCH', 'X-OWN'], { maxLength: 1 }),
  })
  .map(({ isAdmins, ...given }) => recordWith({ ...given, isDomainPolicy: isAdmins && given.patientId === null }))

const anyRecords = fc.uniqueArray(anyRecord, { selector: ({ id }) => id, maxLength: 8 })

const anyRequest: fc.Arbitrary<AccessRequest> = fc.record({
  patientId: fc.constantFrom('Patient/p1', 'Patient/p2'),
  actorReferences: fc.subarray(actors, { minLength: 1 }),
  resourceType: fc.constantFrom(...types),
  operation: fc.constantFrom(...fhirOperations),
  purposeOfUse: fc.constantFrom('TREAT', 'HRESCH', 'CLINTRCH', 'X-OWN'),
})

const anyDay = fc.constantFrom(...days)

const always = (law: (records: ConsentRecord[], request: AccessRequest, day: string) => void) =>
  fc.assert(fc.property(anyRecords, anyRequest, anyDay, law), { numRuns: 2_000 })

describe('whatever is recorded and asked', () => {
  it('the order of the records never matters', () => {
    fc.assert(
      fc.property(anyRecords, anyRequest, anyDay, fc.infiniteStream(fc.nat()), (records, request, day, chance) => {
        const keys = new Map(records.map((record) => [record, chance.next().value]))
        const shuffled = records.toSorted((some, other) => (keys.get(some) ?? 0) - (keys.get(other) ?? 0))
        expect(decide(shuffled, request, day)).toEqual(decide(records, request, day))
      }),
      { numRuns: 1_000 },
    )
  })

  it('adding a deny never turns no into yes', () => {
    fc.assert(
      fc.property(anyRecords, anyRecord, anyRequest, anyDay, (records, added, request, day) => {
        const more = [...records, { ...added, id: 2_000_000, provisionType: 'deny' } as const]
        expect(Number(decide(more, request, day).permitted)).toBeLessThanOrEqual(
          Number(decide(records, request, day).permitted),
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it('revoking a permit never turns no into yes', () =>
    always((records, request, day) => {
      const before = Number(decide(records, request, day).permitted)
      for (const revoked of records.filter(({ provisionType }) => provisionType === 'permit')) {
        const after = records.map((record) =>
          record === revoked ? ({ ...record, status: 'inactive' } as const) : record,
        )
        expect(Number(decide(after, request, day).permitted)).toBeLessThanOrEqual(before)
      }
    }))

  it('adding a permit for a purpose of one’s own turns no into yes only where it permits that itself', () => {
    // Beside others: what nobody knows is open by the one, and closed by the other.
    const known = [
      recordWith({ id: 3_000_000 }),
      recordWith({ id: 3_000_001, provisionType: 'deny', purposes: ['HRESCH'] }),
    ]
    fc.assert(
      fc.property(anyRecords, anyRecord, anyRequest, anyDay, (others, given, asked, day) => {
        const own = { provisionType: 'permit', patientId: asked.patientId, purposes: ['X-OWN'] } as const
        const added = { ...given, ...own, id: 2_000_000 }
        const request = { ...asked, purposeOfUse: 'X-OWN' }
        const records = [...known.map((one) => ({ ...one, patientId: asked.patientId })), ...others]
        const permits = (all: ConsentRecord[]) => Number(decide(all, request, day).permitted)
        expect(permits([...records, added])).toBeLessThanOrEqual(Math.max(permits(records), permits([added])))
      }),
      { numRuns: 2_000 },
    )
  })

  it('what is permitted is permitted by a record that itself matches', () =>
    always((records, request, day) => {
      const { permitted, consentRecordId } = decide(records, request, day)
      if (!permitted) return
      const record = records.find(({ id }) => id === consentRecordId)
      expect(record?.permittedOperations).toContain(letterOf[request.operation])
      expect(record).toMatchObject({ provisionType: 'permit', status: 'active' })
      expect([null, request.patientId]).toContain(record?.patientId)
      expect(record?.patientId === null && !record.isDomainPolicy).toBe(false)
    }))

  it('adding a granular scope to a permit never turns no into yes', () =>
    always((records, request, day) => {
      const before = Number(decide(records, request, day).permitted)
      const granular = `patient/${request.resourceType}.cruds?category=laboratory`
      const widened = records.map((record) =>
        record.provisionType === 'permit' && record.scopeValues.length > 0
          ? { ...record, scopeValues: [...record.scopeValues, granular], permittedOperations: 'cruds' }
          : record,
      )
      expect(Number(decide(widened, request, day).permitted)).toBeLessThanOrEqual(before)
    }))

  it('a record for other purposes changes nothing of a decision but its reason', () =>
    always((records, request, day) => {
      const { reason: _with, ...decided } = decide(records, request, day)
      const others = checkCandidates(records, request, day).filter((one) => !isForPurpose(one))
      const forPurpose = records.filter((record) => others.every((other) => other.record !== record))
      const { reason: _without, ...withoutOthers } = decide(forPurpose, request, day)
      expect(decided).toEqual(withoutOthers)
    }))

  it('what was revoked or is over changes nothing of an answer', () =>
    always((records, request, day) => {
      const isInForce = ({ status, periodStart, periodEnd }: ConsentRecord) =>
        status === 'active' && (periodStart ?? day) <= day && day <= (periodEnd ?? day)
      const { permitted, outcome } = decide(records, request, day)
      expect(decide(records.filter(isInForce), request, day)).toMatchObject({ permitted, outcome })
    }))

  it('what is refused for a purpose is refused for every kind of it', () =>
    always((records, request, day) => {
      const isRefused = (purposeOfUse: string) =>
        decide(records, { ...request, purposeOfUse }, day).outcome === 'DENY' ? 1 : 0
      expect(isRefused('CLINTRCH')).toBeGreaterThanOrEqual(isRefused('HRESCH'))
    }))

  it('the reason names all five checks, and the answer is the same every time', () =>
    always((records, request, day) => {
      const { reason } = decide(records, request, day)
      for (const name of [
        'provision type',
        'resource class',
        'operation',
        'permitted operations',
        'status',
        'period',
      ]) {
        expect(reason).toContain(name)
      }
      expect(decide(structuredClone(records), request, day)).toEqual(decide(records, request, day))
    }))
})
