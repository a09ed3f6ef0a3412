import { describe, expect, it } from 'vitest'
import type { ContactPoint, FhirResource, Patient } from '../../../packages/fhir/r4.ts'
import { finishedMessage } from '../audit/testing/finished-messages.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { Matched } from './match-subscriptions.ts'
import { planDelivery } from './plan-delivery.ts'
import type { KnownVisit } from './known-visits.ts'
import { appointment, encounter, observation, order, patient } from './testing/clinical-resources.ts'
import { writeEventOf, type ChangedResource } from '../pipeline/write-event.ts'

const sender = {
  ...{ application: 'CORRIDOR', facility: 'HIE' },
  authorities: { base: 'https://corridor.example', namespaces: new Map<string, string>() },
}
const reminder: Subscription = {
  ...{ id: 'sub-15', status: 'active', reason: 'Reminders', channel: 'sms', headers: [] },
  criteria: { type: 'Appointment', query: 'status=booked' },
  ...{
    endpoint: undefined,
    payload: undefined,
    receivingFacility: undefined,
    receivingApplication: undefined,
    ownApplications: [],
  },
}
const immunization: FhirResource = {
  ...{ resourceType: 'Immunization', id: 'jab', status: 'completed', vaccineCode: { text: 'MMR' } },
  ...{ patient: { reference: 'Patient/amara' }, occurrenceDateTime: '2026-03-04' },
}
const dayBefore = new Date('2026-03-31T09:30:00Z')

function matched(resource: FhirResource, subscription: Subscription, given: Partial<ChangedResource> = {}): Matched {
  const event = writeEventOf(finishedMessage())
  if (event === undefined) throw new Error('it has written nothing')
  const { resourceType: type, id = '' } = resource
  return { event, subscription, resource, change: { type, id, versionId: '1', operation: 'create', ...given } }
}

const remind = (telecom: ContactPoint[], now = dayBefore) => {
  const person: Patient = { ...patient, telecom }
  return planDelivery(matched(appointment('booked'), reminder), { resolve: () => person, timeZone: 'UTC' }, sender, now)
}

describe('a reminder of an appointment', () => {
  const phone = (value: string, use?: ContactPoint['use']): ContactPoint => ({
    ...{ system: 'phone', value },
    ...(use === undefined ? {} : { use }),
  })

  it.each<[string, ContactPoint[], string]>([
    ['the mobile phone before all others', [phone('1', 'home'), phone('2'), phone('3', 'mobile')], 'tel:3'],
    ['the phone at home before one of which nothing is said', [phone('2'), phone('1', 'home')], 'tel:1'],
    ['a phone of which nothing is said before that of an employer', [phone('4', 'work'), phone('2')], 'tel:2'],
    ['one without what is dialled later', [phone('+999 555 0100 x12', 'home')], 'tel:+9995550100'],
    ['one without a word for what is dialled later', [phone('+999 (555) 0100 ext. 12', 'home')], 'tel:+9995550100'],
    ['one without the zero that is dialled at home alone', [phone('+99 (0) 5550 100', 'home')], 'tel:+995550100'],
    ['one with the zero that is always dialled', [phone('(0555) 0100', 'home')], 'tel:05550100'],
    ['none that is no longer theirs', [{ ...phone('1', 'mobile'), period: { end: '2020' } }, phone('2')], 'tel:2'],
  ])('goes to %s', (_, telecom, endpoint) => {
    expect(remind(telecom)).toMatchObject({ endpoint, status: 'waiting' })
  })

  it.each<[string, ContactPoint[]]>([
    ['of an employer', [phone('4', 'work')]],
    ['that was theirs', [phone('5', 'old')]],
    ['without a digit', [phone('none', 'home')]],
  ])('goes to nobody where there is only a number %s', (_, telecom) => {
    expect(remind(telecom)).toMatchObject({
      status: 'skipped',
      lastError: 'The patient has no phone number of their own.',
    })
  })

  it('is left out when the appointment has begun', () => {
    const told = remind([phone('3', 'mobile')], new Date('2026-04-01T09:30:01Z'))
    expect(told).toMatchObject({ status: 'skipped', payload: '', lastError: 'The appointment has begun or is over.' })
  })
})

it('a delivery is in the line of whom its resource is about, where the message is about others too', () => {
  const of = (reference: string) => {
    const told = matched({ ...order('108252007'), subject: { reference } }, reminder)
    return planDelivery(told, { resolve: () => undefined, timeZone: 'UTC' }, sender, dayBefore).patient
  }
  const named = writeEventOf(finishedMessage())?.patient
  expect(named).not.toBe('Patient/second')
  expect(of('Patient/second')).toBe('Patient/second')
  expect(of('https://fhir.example/r4/Patient/second')).toBe('Patient/second')
  expect(of('Group/all')).toBe(named)
})

describe('a message that is run again', () => {
  const planned = (subscription: Subscription) => {
    const one = matched(observation('HH'), subscription)
    const again: Matched = { ...one, event: { ...one.event, isRerun: true } }
    return planDelivery(again, { resolve: () => patient, timeZone: 'UTC' }, sender, dayBefore)
  }
  const onCall = { ...reminder, endpoint: 'tel:+99900000006' }

  it('texts nobody again', () => {
    const lastError = 'The message was run again: who is told by short messages was told before.'
    expect(planned(onCall)).toMatchObject({ status: 'skipped', payload: '', lastError })
  })

  it('tells receivers of records what is better now', () => {
    const hook: Subscription = { ...onCall, channel: 'rest-hook', endpoint: 'http://hook.example/', payload: 'json' }
    expect(planned(hook)).toMatchObject({ status: 'waiting' })
  })
})

describe('nobody hears what they said themselves', () => {
  const laboratory: Partial<Subscription> = { channel: 'message', endpoint: 'mllp://lab.example:2575' }
  const toLab: Partial<Subscription> = { receivingFacility: 'CENTRAL', receivingApplication: 'LAB' }
  it.each([
    ['a facility, by another system of it', { receivingFacility: 'CENTRAL' }, 'EHR', 'skipped'],
    ['a facility, by another one', { receivingFacility: 'LAKESIDE' }, 'EHR', 'waiting'],
    ['a system of it, by itself', { ...toLab, ownApplications: ['LIS', 'POCT'] }, 'POCT', 'skipped'],
    ['a system of it, by another one', { ...toLab, ownApplications: ['LIS', 'POCT'] }, 'EHR', 'waiting'],
    ['a system of nobody knows where', { ownApplications: ['LIS'] }, 'LIS', 'waiting'],
    ['to whom messages are addressed, by its engine under another name', toLab, 'ENGINE', 'skipped'],
    ['to whom messages are addressed, by itself', toLab, 'LAB', 'skipped'],
    [
      'to whom messages are addressed, by another facility',
      { ...toLab, receivingFacility: 'LAKESIDE' },
      'EHR',
      'waiting',
    ],
  ])('where a subscription names %s', (_, named, sendingApplication, status) => {
    const one = matched(order('108252007'), { ...reminder, ...laboratory, ...named })
    const told: Matched = { ...one, event: { ...one.event, facilityCode: 'CENTRAL', sendingApplication } }
    expect(planDelivery(told, { resolve: () => patient, timeZone: 'UTC' }, sender, dayBefore).status).toBe(status)
  })

  it('and where a whole facility is taken for the receiver, it is said what lets the rest of it through', () => {
    const one = matched(order('108252007'), { ...reminder, ...laboratory, ...toLab })
    const told: Matched = { ...one, event: { ...one.event, facilityCode: 'CENTRAL', sendingApplication: 'EHR' } }
    const { lastError } = planDelivery(told, { resolve: () => patient, timeZone: 'UTC' }, sender, dayBefore)
    expect(lastError).toContain('own-application')
  })
})

describe('an order of which a result tells', () => {
  const planned = (messageType: string, given: Partial<Subscription>, status: 'active' | 'completed' = 'active') => {
    const endpoint = given.channel === 'sms' ? 'tel:+99900000012' : 'http://receiver.example/'
    const one = matched(order('108252007', { status }), { ...reminder, endpoint, payload: 'json', ...given })
    const told: Matched = { ...one, event: { ...one.event, messageType } }
    const { status: of, lastError } = planDelivery(told, { resolve: () => patient, timeZone: 'UTC' }, sender, dayBefore)
    return [of, lastError]
  }
  const lastError = 'A result has told of the order: it is being carried out.'

  it.each(['message', 'sms'] as const)('is given to nobody to carry it out once more by %s', (channel) => {
    expect(planned('ORU^R01', { channel })).toEqual(['skipped', lastError])
    expect(planned('ORM^O01', { channel })).toEqual(['waiting', null])
  })

  it('is told of as a record, and when it is done', () => {
    expect(planned('ORU^R01', { channel: 'rest-hook' })).toEqual(['waiting', null])
    expect(planned('ORU^R01', { channel: 'message' }, 'completed')).toEqual(['waiting', null])
  })
})

describe('a text of a visit', () => {
  const onCall = { ...reminder, endpoint: 'tel:+99900000004' }
  const planned = (known: KnownVisit, now = encounter('in-progress', 'EMER')) =>
    planDelivery(
      matched(now, onCall, { operation: 'update' }),
      { resolve: () => undefined, timeZone: 'UTC', known },
      sender,
      dayBefore,
    )
  const heard = { isKnown: true, isKnownAsBefore: true, before: encounter('arrived', 'EMER') }

  it('is left out where the version before was told of in the same words', () => {
    const lastError = 'The same was told of the visit before.'
    expect(planned(heard)).toMatchObject({ status: 'skipped', payload: '', lastError })
  })

  it.each<[string, KnownVisit, Parameters<typeof planned>[1]]>([
    ['where it says something else', heard, encounter('finished', 'EMER')],
    ['where nobody was told of the version before', { ...heard, isKnownAsBefore: false }, undefined],
    ['where nobody can say what was before', { ...heard, before: undefined }, undefined],
  ])('goes out %s', (_, known, now) => {
    expect(planned(known, now)).toMatchObject({ status: 'waiting' })
  })
})

it.each<[string, FhirResource]>([
  ['the patient whom a result is about', observation('HH')],
  ['the patient who was vaccinated', immunization],
  ['the patient who was written', patient],
])('a short message without a number goes to %s', (_, resource) => {
  const around = { resolve: () => patient, timeZone: 'UTC' }
  expect(planDelivery(matched(resource, reminder), around, sender, dayBefore)).toMatchObject({
    endpoint: 'tel:+9995550100',
    status: 'waiting',
  })
})

it.each([
  ['create', 'NW'],
  ['update', 'XO'],
] as const)('an order of which the write was a %s leaves with %s', (operation, control) => {
  const toLaboratory: Subscription = { ...reminder, channel: 'message', endpoint: 'mllp://lab.example:2575' }
  const one = matched(order('108252007'), toLaboratory, { operation })
  expect(planDelivery(one, { resolve: () => undefined, timeZone: 'UTC' }, sender, dayBefore).payload).toContain(
    `\rORC|${control}|`,
  )
})

it.each([
  ['CENTRAL', 'LAB'],
  ['LAKESIDE', 'LAB&https://corridor.example/id/CENTRAL/LAB&URI'],
])('a number that CENTRAL has named leaves to %s as one of %s', (receivingFacility, authority) => {
  const toWard: Subscription = { ...reminder, channel: 'message', endpoint: 'mllp://ward.example', receivingFacility }
  const identifier = [{ system: 'https://corridor.example/id/CENTRAL/LAB', value: '1' }]
  const event = { ...matched(patient, toWard).event, facilityCode: 'HARBOUR' }
  const one = { ...matched({ ...patient, identifier }, toWard), event }
  const { payload } = planDelivery(one, { resolve: () => undefined, timeZone: 'UTC' }, sender, dayBefore)
  expect(payload).toContain(`\rPID|1||1^^^${authority}|`)
})

it.each([
  ['deleted the person', 'ADT^A29', 'ADT^A29^ADT_A21'],
  ['admitted the person again', 'ADT^A01', 'ADT^A31^ADT_A05'],
  ['corrected the person', 'ADT^A08', 'ADT^A31^ADT_A05'],
])('a patient who is inactive leaves, after a message that %s (%s), as %s', (_, messageType, written) => {
  const toWard: Subscription = { ...reminder, channel: 'message', endpoint: 'mllp://ward.example:2575' }
  const inactive = matched({ ...patient, active: false }, toWard, { operation: 'update' })
  const one = { ...inactive, event: { ...inactive.event, messageType } }
  const { payload } = planDelivery(one, { resolve: () => undefined, timeZone: 'UTC' }, sender, dayBefore)
  expect(payload.split('\r')[0]?.split('|')[8]).toBe(written)
})

it.each([
  ['T', 'T'],
  ['D', 'D'],
  [undefined, 'P'],
] as const)('what a message of the kind %s has written leaves as one of %s', (processing, written) => {
  const finished = finishedMessage(processing === undefined ? {} : { processing })
  const event = writeEventOf(finished)
  if (event === undefined) throw new Error('it has written nothing')
  const toLaboratory: Subscription = { ...reminder, channel: 'message', endpoint: 'mllp://lab.example:2575' }
  const one = { ...matched(order('108252007'), toLaboratory), event }
  const { payload } = planDelivery(one, { resolve: () => undefined, timeZone: 'UTC' }, sender, dayBefore)
  expect(payload.split('\r')[0]?.split('|')[10]).toBe(written)
})
