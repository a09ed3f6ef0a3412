import { describe, expect, it } from 'vitest'
import type { AuditedAccess, TouchedResource } from './audited-access.ts'
import { auditedParts } from './audited-parts.ts'
import { accessOf, clinician } from './testing/accesses.ts'

const owners: Readonly<Record<string, readonly string[]>> = {
  glucose: ['amina'],
  'group-visit': ['amina', 'kofi'],
  smoking: ['kofi'],
}
const patientsOf = ({ id }: TouchedResource) => owners[id] ?? []

describe('an access is told', () => {
  it.each<[string, Partial<AuditedAccess>, (string | undefined)[]]>([
    ['once for a resource of one patient', { touched: [observation('glucose')] }, ['amina']],
    [
      'once for all that one call changed of a patient',
      { interaction: 'update', touched: [observation('glucose'), observation('glucose')] },
      ['amina'],
    ],
    ['once a patient', { touched: [observation('group-visit')] }, ['amina', 'kofi']],
    ['without a patient where the resource has none', { touched: [observation('unknown')] }, [undefined]],
    [
      'once a patient that a search found',
      { interaction: 'search-type', touched: ['glucose', 'group-visit', 'smoking'].map(observation) },
      ['amina', 'kofi'],
    ],
    [
      'once for a search that found nothing',
      { interaction: 'search-type', touched: [], question: 'Patient?name=x' },
      [undefined],
    ],
    [
      'once for a question about patients by way of reference data',
      {
        interaction: 'search-type',
        touched: [{ type: 'Organization', id: 'central' }],
        question: 'Organization?_has%3AEncounter:service-provider:patient=kofi',
      },
      [undefined],
    ],
    ...[
      'ActivityDefinition?derived-from.patient=kofi',
      'Library?depends-on.subject:Patient.name=x',
      'PlanDefinition?_has:Library:depends-on:composed-of.patient=kofi',
      'MedicationKnowledge?monograph.patient=kofi',
      'Practitioner?_id=dr-amara&_revinclude=Encounter:practitioner',
      'Practitioner?_id=dr-amara&_revinclude:iterate=*',
    ].map((question): [string, Partial<AuditedAccess>, undefined[]] => [
      `once for what may lead to patients and finds nothing: ${question}`,
      { interaction: 'search-type', touched: [], question },
      [undefined],
    ]),
    ...['Practitioner/dr-amara/Encounter?patient=kofi&_summary=count', 'Practitioner/dr-amara/*?_summary=count'].map(
      (question): [string, Partial<AuditedAccess>, undefined[]] => [
        `once for what only counts whom somebody has seen: ${question}`,
        { interaction: 'search-type', touched: [], question },
        [undefined],
      ],
    ),
    ...[
      '?_type=Practitioner,Patient&family=x&_total=accurate&_count=1',
      '?_type=Practitioner&_type=Patient&family=x',
      '?_id=amina,dr-amara&_total=accurate&_count=1',
    ].map((question): [string, Partial<AuditedAccess>, undefined[]] => [
      `once for a search of several types whose page shows reference data alone: ${question}`,
      { interaction: 'search-system', touched: [{ type: 'Practitioner', id: 'dr-amara' }], question },
      [undefined],
    ]),
    [
      'once for a look-up of numbers that knows the hospital alone',
      {
        interaction: 'search-type',
        touched: [{ type: 'Organization', id: 'central' }],
        question: 'Organization,Patient?identifier',
      },
      [undefined],
    ],
    [
      'of the patient whose token found nothing',
      { interaction: 'search-type', touched: [], question: 'Observation', caller: { ...clinician, patient: 'amina' } },
      ['amina'],
    ],
    [
      'once for who reads the log, which is full of patients',
      { interaction: 'search-type', touched: [{ type: 'AuditEvent', id: 'glucose' }], question: 'AuditEvent' },
      [undefined],
    ],
    [
      'once for a write that was refused',
      { interaction: 'create', outcome: { kind: 'refused' }, touched: [], question: 'Patient' },
      [undefined],
    ],
    [
      'once for a write that found several, or nothing',
      { interaction: 'delete', touched: [], question: 'Patient?family=Diallo' },
      [undefined],
    ],
    [
      'of the patient whose token may not write',
      { interaction: 'create', touched: [], question: 'Observation', caller: { ...clinician, patient: 'amina' } },
      ['amina'],
    ],
    [
      'for a search that has the name of an operation behind it',
      { interaction: 'search-type', touched: [observation('glucose')], question: 'Observation?x=/$validate' },
      ['amina'],
    ],
    [
      'for an operation that has the name of another behind it',
      {
        interaction: 'operation',
        touched: [observation('glucose')],
        question: 'Patient/amina/$everything?x=/$validate',
      },
      ['amina'],
    ],
    [
      'for validating what is stored',
      { interaction: 'operation', touched: [observation('glucose')], question: 'Observation/glucose/$validate' },
      ['amina'],
    ],
    [
      'for what may not be validated where it is stored',
      {
        ...{ interaction: 'operation', outcome: { kind: 'refused' }, touched: [] },
        question: 'Observation/glucose/$validate?mode=profile',
      },
      [undefined],
    ],
    [
      'for an include of a patient beside reference data',
      { interaction: 'search-type', touched: [{ type: 'Organization', id: 'central' }, observation('smoking')] },
      ['kofi'],
    ],
  ])('%s', (_why, given, patients) => {
    expect(auditedParts(accessOf(given), patientsOf).map(({ patient }) => patient)).toEqual(patients)
  })

  it.each<[string, Partial<AuditedAccess>]>([
    ['reading reference data', { touched: [{ type: 'Organization', id: 'central' }] }],
    ['searching it', { interaction: 'search-type', touched: [], question: 'ValueSet?url=x' }],
    [
      'a look-up of its numbers in vain',
      { interaction: 'search-type', touched: [], question: 'Location,Organization?identifier' },
    ],
    [
      'searching several types of it',
      { interaction: 'search-system', touched: [], question: '?_type=Practitioner,Organization&name=x' },
    ],
    [
      'searching it by what is reference data, too',
      { interaction: 'search-type', touched: [], question: 'Location?organization:Organization.name=x' },
    ],
    ...[
      'PractitionerRole?practitioner.name=x',
      'ActivityDefinition?derived-from:ActivityDefinition.name=x',
      'Library?depends-on=http://example.org/Library/x',
      'Practitioner?_revinclude=PractitionerRole:practitioner',
    ].map((question): [string, Partial<AuditedAccess>] => [
      `searching what leads to reference data only: ${question}`,
      { interaction: 'search-type', touched: [], question },
    ]),
    ['writing the log itself', { interaction: 'create', touched: [{ type: 'AuditEvent', id: 'glucose' }] }],
    [
      'a refused event of it, which would be tried again and again',
      { interaction: 'create', outcome: { kind: 'refused' }, touched: [], question: 'AuditEvent' },
    ],
    ['validating', { interaction: 'operation', touched: [], question: 'Observation/$validate' }],
    ['validating in a mode', { interaction: 'operation', touched: [], question: 'Observation/$validate?mode=create' }],
    [
      'what is refused before it is validated',
      { interaction: 'operation', outcome: { kind: 'refused' }, touched: [], question: 'Observation/$validate' },
    ],
    ['a refused write of it', { interaction: 'delete', touched: [], question: 'Location?name=x' }],
  ])('not at all for %s', (_why, given) => {
    expect(auditedParts(accessOf(given), patientsOf)).toEqual([])
  })
})

function observation(id: string): TouchedResource {
  return { type: 'Observation', id }
}
