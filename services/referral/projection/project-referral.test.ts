import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { createValidate, type Validate } from '../../../packages/fhir/validate/validator.ts'
import { attentions, priorities, type Referral, type ReferralTask } from '../referral.ts'
import { referralStatuses, taskStatuses } from '../transitions.ts'
import { projectAudit } from './project-audit.ts'
import { projectReferral } from './project-referral.ts'

let validate: Validate
beforeAll(async () => {
  validate = createValidate(await loadDefinitions())
})

const system = 'https://referral.example.org/api/referrals'
const sentAt = new Date('2026-03-04T05:06:07.890Z')

const least: Referral = {
  id: 17,
  status: 'DRAFT',
  priority: 'ROUTINE',
  patientId: 'Patient/p1',
  requesterId: 'Practitioner/d1',
  receivingFacilityClientId: 'lakeside_clinic',
  performerId: null,
  referralCode: null,
  referralDisplay: null,
  reasonCodes: [],
  clinicalNote: null,
  sharedResourceTypes: [],
  supportingInfo: [],
  occurrenceDate: null,
  statusReason: null,
  consentVerified: false,
  authoredOn: null,
  attention: null,
  createdBy: 'd1',
  sendingOrganisation: null,
  sendingClientId: 'demo-app',
  createdAt: sentAt,
  updatedAt: sentAt,
  heldAt: null,
  version: 1,
}

const full: Referral = {
  ...least,
  status: 'ACTIVE',
  priority: 'STAT',
  performerId: 'Organization/lakeside',
  referralCode: '306206005',
  referralDisplay: 'Referral to service',
  reasonCodes: ['i10', '38341003', 'E11.9', 'chest pain'],
  clinicalNote: 'Blood pressure stays high.',
  supportingInfo: ['DocumentReference/letter-1', 'https://other.example.org/fhir/Observation/9'],
  occurrenceDate: '2026-12-01',
  authoredOn: sentAt,
}

const task: ReferralTask = {
  id: 5,
  referralId: 17,
  status: 'REJECTED',
  receivingFacilityClientId: 'lakeside_clinic',
  performerId: 'Organization/lakeside',
  note: 'No bed.',
  rejectionReason: 'No capacity',
  acceptBy: sentAt,
  overdueAt: null,
  createdAt: sentAt,
  updatedAt: sentAt,
  version: 1,
}

describe('a referral in FHIR', () => {
  it('is a ServiceRequest with everything that the referral says', () => {
    expect(projectReferral(full, [], system).serviceRequest).toEqual({
      resourceType: 'ServiceRequest',
      id: 'corridor-referral-17',
      identifier: [{ system, value: '17' }],
      status: 'active',
      intent: 'order',
      priority: 'stat',
      code: { coding: [{ system: 'http://snomed.info/sct', code: '306206005', display: 'Referral to service' }] },
      subject: { reference: 'Patient/p1' },
      occurrenceDateTime: '2026-12-01',
      authoredOn: '2026-03-04T05:06:07.890Z',
      requester: { reference: 'Practitioner/d1' },
      performer: [{ reference: 'Organization/lakeside' }],
      reasonCode: [
        { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code: 'I10' }] },
        { coding: [{ system: 'http://snomed.info/sct', code: '38341003' }] },
        { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code: 'E11.9' }] },
        { text: 'chest pain' },
      ],
      supportingInfo: [
        { reference: 'DocumentReference/letter-1' },
        { reference: 'https://other.example.org/fhir/Observation/9' },
      ],
      note: [{ text: 'Blood pressure stays high.' }],
    })
  })

  it('is a Task for each task, bound to the request', () => {
    expect(projectReferral(full, [task], system).tasks).toEqual([
      expect.objectContaining({
        id: 'corridor-referral-task-5',
        status: 'rejected',
        statusReason: { text: 'No capacity' },
        focus: { reference: 'ServiceRequest/corridor-referral-17' },
        for: { reference: 'Patient/p1' },
        owner: { reference: 'Organization/lakeside' },
        note: [{ text: 'No bed.' }],
      }),
    ])
  })

  it.each(referralStatuses)('is valid R4 when it is %s, whatever it says', (status) => {
    for (const referral of [least, full]) {
      for (const priority of priorities) {
        const { serviceRequest } = projectReferral(
          { ...referral, status, priority, attention: attentions[0] },
          [],
          system,
        )
        expect(validate(serviceRequest)).toEqual([])
      }
    }
  })

  it.each(taskStatuses)('has a valid task that is %s', (status) => {
    const tasks = [
      { ...task, status },
      { ...task, status, performerId: null, note: null, rejectionReason: null },
    ]
    expect(projectReferral(full, tasks, system).tasks.map(validate)).toEqual([[], []])
  })

  it.each(['', ' ', '\r\n', ' a  b ', 'a\u0001b', '\u0001'])('is valid R4 where somebody wrote %j', (text) => {
    const referral = {
      ...full,
      ...{ referralCode: text, referralDisplay: text, clinicalNote: text, reasonCodes: [text] },
    }
    const { serviceRequest, tasks } = projectReferral(
      referral,
      [{ ...task, note: text, rejectionReason: text }],
      system,
    )
    for (const resource of [serviceRequest, ...tasks]) expect(validate(resource)).toEqual([])
  })

  it('is the same each time', () => {
    expect(projectReferral(full, [task], system)).toEqual(projectReferral(full, [task], system))
  })
})

describe('an audited call in FHIR', () => {
  const record = {
    id: '018f0000-0000-7000-8000-000000000001',
    at: sentAt.toISOString(),
    action: 'send',
    outcome: 'success',
    referralId: 17,
    taskId: null,
    patientId: 'Patient/p1',
    subject: 'dr-amara',
    clientId: 'demo-app',
    organisation: 'Organization/central-hospital',
    peer: '127.0.0.1',
    requestId: 'r-1',
  } as const

  it.each([
    record,
    { ...record, outcome: 'refused' as const, organisation: null, peer: null, requestId: null },
    { ...record, action: 'create' },
  ])('is valid R4 and names who, what and whose', (audited) => {
    const event = projectAudit(audited)
    expect(validate(event)).toEqual([])
    expect(event).toMatchObject({
      meta: { tag: [{ code: record.id }] },
      outcome: audited.outcome === 'success' ? '0' : '4',
      entity: [
        { what: { reference: 'Patient/p1' } },
        { what: { reference: 'ServiceRequest/corridor-referral-17' } },
        ...(audited.requestId === null ? [] : [{}]),
      ],
    })
  })

  it.each(['Patient/foo bar', 'Patient/a/b', 'Patient/?x', `Patient/${'x'.repeat(65)}`])(
    'of a look for %s, which no patient has, is valid R4 and names nobody',
    (patientId) => {
      const event = projectAudit({ ...record, action: 'list', referralId: null, patientId, list: 'patient' })
      expect(validate(event)).toEqual([])
      expect(JSON.stringify(event)).not.toContain('Patient/')
    },
  )

  it('of a question to the gate before a referral is kept is a look at the patient', () => {
    const event = projectAudit({ ...record, action: 'gate', referralId: null })
    expect(validate(event)).toEqual([])
    expect(event).toMatchObject({ action: 'R', entity: [{ what: { reference: 'Patient/p1' } }, {}] })
  })

  it('of a look at a list is valid R4 and names the list', () => {
    const event = projectAudit({
      ...record,
      action: 'list',
      referralId: null,
      patientId: null,
      list: 'inbox Organization/o1',
    })
    expect(validate(event)).toEqual([])
    expect(event).toMatchObject({
      action: 'R',
      entity: [{ what: { identifier: { value: 'inbox Organization/o1' } } }, {}],
    })
  })
})
