import { expect, it } from 'vitest'
import type { Encounter, FhirResource, Location } from '../../../packages/fhir/r4.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { finishedMessage } from '../audit/testing/finished-messages.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { Matched } from './match-subscriptions.ts'
import { messageOf } from './messages/message-of.ts'
import { readSurroundings } from './surroundings.ts'
import { appointment, encounter, observation, order, patient, report } from './testing/clinical-resources.ts'
import { writeEventOf } from '../pipeline/write-event.ts'

const place = (id: string, code: string, partOf?: string): Location => ({
  ...{ resourceType: 'Location', id, name: id.toUpperCase(), physicalType: { coding: [{ code }] } },
  ...(partOf === undefined ? {} : { partOf: { reference: `Location/${partOf}` } }),
})
const places = [
  place('site', 'si'),
  place('building', 'bu', 'site'),
  place('ward', 'wa', 'building'),
  place('floor', 'lvl', 'ward'),
  place('room', 'ro', 'floor'),
  place('bed', 'bd', 'room'),
]
const attending = { type: [{ coding: [{ code: 'ATND' }] }], individual: { reference: 'PractitionerRole/role' } }
const visit: Encounter = {
  ...encounter('in-progress', 'IMP'),
  location: [{ location: { reference: 'Location/bed', display: 'A bed' }, status: 'active' }],
  participant: [attending],
}
const store: readonly FhirResource[] = [
  ...[patient, visit, ...places],
  order('108252007', { requester: { reference: 'PractitionerRole/role', display: 'Dr Chidi Okafor' } }),
  { resourceType: 'PractitionerRole', id: 'role', practitioner: { reference: 'Practitioner/okafor' } },
  {
    ...{ resourceType: 'Practitioner', id: 'okafor', identifier: [{ value: '2001' }] },
    name: [{ family: 'Okafor', given: ['Chidi'] }],
  },
]

const receiver: Subscription = {
  ...{ id: 'sub-08', status: 'active', reason: 'Reports', channel: 'message', headers: [] },
  criteria: { type: 'DiagnosticReport', query: 'status=final' },
  ...{ endpoint: 'mllp://his.example:2575', payload: undefined },
  ...{ receivingFacility: undefined, receivingApplication: undefined, ownApplications: [] },
}

it('a report reaches the whole place of its visit, its doctors, and who ordered it', async () => {
  const calls: number[] = []
  const matching: ResourceMatching = {
    readVersions: async (versions) => {
      calls.push(versions.length)
      return versions.map(({ type, id }) => store.find((one) => one.resourceType === type && one.id === id))
    },
    matches: async () => [],
  }
  const event = writeEventOf(finishedMessage())
  if (event === undefined) throw new Error('it has written nothing')
  const result = {
    ...report('final'),
    encounter: { reference: `Encounter/${visit.id}` },
    basedOn: [{ reference: 'ServiceRequest/order-108252007' }],
  }
  const change = { type: 'DiagnosticReport', id: 'panel', versionId: '1', operation: 'create' } as const
  const one: Matched = { event, change, resource: result, subscription: receiver }
  const resolveFor = await readSurroundings([one], [one], matching, {})
  const message = messageOf(result, {
    ...{ authorities: { base: 'https://corridor.example', namespaces: new Map() }, resolve: resolveFor(one) },
    ...{ sender: { application: 'C', facility: 'H' }, receiver: { application: undefined, facility: undefined } },
    ...{ at: new Date('2026-03-04T05:06:07Z'), controlId: '1', isChange: false },
    ...{ transactionId: 't-1', messageType: 'ORU^R01' },
  })
  const fields = (name: string) =>
    message
      .split('\r')
      .find((line) => line.startsWith(name))
      ?.split('|') ?? []
  expect(fields('PV1').slice(3, 8)).toEqual(['WARD^ROOM^BED^SITE^^^BUILDING^FLOOR', '', '', '', '2001^Okafor^Chidi'])
  expect([fields('ORC')[12], fields('OBR')[16]]).toEqual(['2001^Okafor^Chidi', '2001^Okafor^Chidi'])
  // The report's own references, then what they lead to: no call that asks for nothing.
  expect(calls).not.toContain(0)
})

it.each([
  ['an appointment', appointment('booked')],
  ['a result', observation('HH')],
  ['an order', order('108252007')],
])('whoever is told of %s by a short message to their own number is read, and else nobody', async (_, resource) => {
  const asked: string[] = []
  const matching: ResourceMatching = {
    readVersions: async (versions) => {
      asked.push(...versions.map(({ type, id }) => `${type}/${id}`))
      return versions.map(({ type, id }) => store.find((one) => one.resourceType === type && one.id === id))
    },
    matches: async () => [],
  }
  const event = writeEventOf(finishedMessage())
  if (event === undefined) throw new Error('it has written nothing')
  const { resourceType: type, id } = resource
  const change = { type, id, versionId: '1', operation: 'create' } as const
  const toOwnNumber: Subscription = { ...receiver, channel: 'sms', endpoint: undefined }
  const one: Matched = { event, change, resource, subscription: toOwnNumber }
  const fixed: Matched = { ...one, subscription: { ...toOwnNumber, endpoint: 'tel:+1' } }
  await readSurroundings([fixed], [fixed], matching, {})
  expect(asked).toEqual([])
  const resolveFor = await readSurroundings([one], [one], matching, {})
  expect(resolveFor(one)({ reference: 'Patient/amara' })).toEqual(patient)
})
