import type { TestResource } from './search-world.ts'

const terminology = 'http://terminology.hl7.org/CodeSystem'
const profile = 'http://example.org/profiles/audit'

/** Whom the events tell of, and who tells of events. */
export const beside: readonly TestResource[] = [
  { resourceType: 'Patient', id: 'amina', meta: { profile: [`${profile}/read`] } },
  { resourceType: 'Patient', id: 'kofi', meta: { security: [{ system: 'urn:labels', code: 'secret' }] } },
  { resourceType: 'Practitioner', id: 'amara', name: [{ family: 'Amara', given: ['Zola'] }] },
  ...[1, 4, 7].map((number) => ({
    resourceType: 'Provenance',
    id: `of-${number}`,
    target: [{ reference: `AuditEvent/e${number}` }],
    recorded: '2024-05-01T00:00:00Z',
    agent: [{ who: { reference: 'Practitioner/amara' } }],
  })),
]

function eventOf(number: number): TestResource {
  const kind = kinds[number % kinds.length] ?? {}
  return {
    resourceType: 'AuditEvent',
    id: `e${number}`,
    ...kind,
    meta: { ...kind.meta, tag: [{ system: 'urn:ids', code: `e${number}` }] },
    recorded: `2024-05-0${1 + (number % 9)}T10:00:00Z`,
    entity: [
      { what: { reference: number % 2 === 0 ? 'Patient/amina' : 'Patient/kofi' }, ...person },
      ...(number % 4 === 0 ? [{ what: { reference: `Observation/o${number}` }, ...object }] : []),
      { what: { identifier: { value: `request-${number}` } } },
    ],
  }
}

const person = {
  type: { system: `${terminology}/audit-entity-type`, code: '1', display: 'Person' },
  role: { system: `${terminology}/object-role`, code: '1' },
}

const object = {
  type: { system: `${terminology}/audit-entity-type`, code: '2' },
  role: { system: `${terminology}/object-role`, code: '4' },
}

const rest = { system: `${terminology}/audit-event-type`, code: 'rest', display: 'Restful Operation' }
const interaction = (code: string, display?: string) => ({
  system: 'http://hl7.org/fhir/restful-interaction',
  code,
  display,
})
const message = {
  who: { identifier: { value: 'CENTRAL|HIS' } },
  requestor: true,
  network: { address: '10.0.0.1', type: '2' },
}

const kinds: readonly { readonly meta?: object; readonly [element: string]: unknown }[] = [
  {
    meta: { profile: [`${profile}/create`] },
    type: rest,
    subtype: [interaction('create')],
    action: 'C',
    outcome: '0',
    agent: [message, { who: { identifier: { value: 'HUB|CORRIDOR' } }, requestor: false }],
    source: { observer: { identifier: { value: 'corridor' } } },
  },
  {
    meta: { profile: [`${profile}/read`, `${profile}/other`], security: [{ system: 'urn:labels', code: 'secret' }] },
    type: rest,
    subtype: [interaction('read', 'Reads one'), interaction('vread')],
    action: 'R',
    outcome: '0',
    agent: [
      {
        who: { reference: 'Practitioner/amara' },
        altId: 'u1',
        name: 'Zola Amara',
        role: [{ coding: [{ system: 'urn:role', code: 'doctor' }], text: 'Physician' }],
        requestor: true,
        network: { address: '10.0.0.2' },
      },
      { who: { identifier: { value: 'CENTRAL|HIS' } }, requestor: false },
    ],
    source: { site: 'ward-3', observer: { reference: 'Device/gateway' } },
  },
  {
    type: rest,
    subtype: [interaction('read')],
    action: 'R',
    outcome: '8',
    agent: [
      { who: { identifier: { system: 'urn:f', value: 'rural' } }, altId: 'u2', name: 'Kofi Mara', requestor: true },
    ],
    source: { observer: { display: 'somewhere' } },
  },
  {
    meta: { security: [{ system: 'urn:labels', code: 'open', display: 'Top of the hill' }] },
    type: { system: `${terminology}/audit-event-type`, code: 'object' },
    action: 'D',
    outcome: '0',
    agent: [{ ...message, role: [{ coding: [{ system: 'urn:role', code: 'nurse' }] }] }],
    source: { site: 'ward-4', observer: { identifier: { value: 'corridor' } } },
  },
]

/** Events of a few kinds, some of them alike but for what is an event's own. */
export const auditEvents: readonly TestResource[] = Array.from({ length: 14 }, (_each, number) => eventOf(number))
