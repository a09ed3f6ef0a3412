import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { assert } from '../../../packages/faults/fault.ts'
import { escapeText, standardDelimiters } from '../../../packages/hl7/index.ts'
import { adtA01, oruR01, vxuV04 } from '../../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import type { ChannelId } from '../../../services/bridge/pipeline/channel.ts'
import type { ServiceName } from '../../../apps/corridor/service-names.ts'
import { OwnObjects } from './own-objects.ts'
import type { World } from './world.ts'

/** What was made with hostile texts in every field that takes one, by the names of path parameters. */
export interface HostileThings {
  readonly patient: string
  readonly consent: string
  readonly referral: string
  readonly transaction: string
  readonly subscription: string
}

type NextText = () => string

/** Sends the texts through every road into Corridor: messages, resources, consents and referrals. */
export async function addHostileThings(world: World, next: NextText): Promise<HostileThings> {
  const patient = 'hostile'
  await addResources(world, patient, next)
  const transaction = await sendMessages(world, next)
  const consent = await call(world, 'consent', 'POST', '/api/consent', {
    ...{ patientId: `Patient/${patient}`, provisionType: 'permit', note: next(), regulatoryBasis: next() },
    actorReference: 'Organization/lakeside-clinic',
  })
  const referral = await addReferrals(world, `Patient/${patient}`, next)
  const subscription = 'hostile-subscription'
  await call(world, 'fhir', 'PUT', `/fhir/Subscription/${subscription}`, {
    ...{ resourceType: 'Subscription', id: subscription, status: 'requested', reason: next(), error: next() },
    ...{ criteria: 'Patient?', channel: { type: 'rest-hook', endpoint: 'https://evil.example/', header: [next()] } },
  })
  await new OwnObjects(world).unmappedCode()
  return { patient, consent: String(consent['id']), referral, transaction, subscription }
}

/** One that an administrator wrote, and one that waits in their inbox. */
async function addReferrals(world: World, patientId: string, next: NextText): Promise<string> {
  const text = () => ({ clinicalNote: next(), referralDisplay: next(), referralCode: next(), reasonCodes: [next()] })
  const to = (facility: string) => ({ receivingFacilityClientId: facility, performerId: `Organization/${facility}` })
  const admin = { subject: 'admin', fhirUser: 'Practitioner/admin' }
  const lakeside = { subject: 'dr-baraka', organisation: 'Organization/lakeside-clinic' }
  const write = async (body: object, wish: TokenWish) => {
    const made = await call(world, 'referral', 'POST', '/api/referrals', { patientId, ...body, ...text() }, wish)
    return String(made['id'])
  }
  const inbox = await write({ requesterId: 'Practitioner/dr-baraka', ...to('central-hospital') }, lakeside)
  await call(world, 'referral', 'POST', `/api/referrals/${inbox}/send`, undefined, lakeside)
  return write({ requesterId: 'Practitioner/admin', ...to('lakeside-clinic') }, admin)
}

async function addResources(world: World, id: string, next: NextText): Promise<void> {
  const subject = { reference: `Patient/${id}`, display: next() }
  const put = (resource: { resourceType: string; id: string }) =>
    call(world, 'fhir', 'PUT', `/fhir/${resource.resourceType}/${resource.id}`, resource)
  const person = { family: next(), given: [next(), next()], prefix: [next()], text: next() }
  await put({
    ...{ resourceType: 'Patient', id, active: true, birthDate: '1990-01-01', gender: 'female', name: [person] },
    ...{ identifier: [{ system: 'https://hostile.example/id', value: next(), assigner: { display: next() } }] },
    ...{ telecom: [{ system: 'phone', value: next() }], address: [{ line: [next()], city: next(), country: next() }] },
  })
  const coded = (code: string, system: string) => ({ coding: [{ system, code, display: next() }], text: next() })
  await put({
    ...{ resourceType: 'Immunization', id: 'hostile-dose', status: 'completed', patient: subject },
    ...{ vaccineCode: coded('08', 'http://hl7.org/fhir/sid/cvx'), occurrenceDateTime: '2026-01-01', lotNumber: next() },
    ...{ note: [{ text: next() }], performer: [{ actor: { display: next() } }], manufacturer: { display: next() } },
    ...{ location: { display: next() }, site: { text: next() }, route: { text: next() } },
    ...{ protocolApplied: [{ series: next(), doseNumberString: next() }], reasonCode: [{ text: next() }] },
  })
  await put({
    ...{ resourceType: 'Encounter', id: 'hostile-visit', status: 'in-progress', subject },
    ...{
      class: { code: 'IMP', display: next() },
      reasonCode: [{ text: next() }],
      serviceProvider: { display: next() },
    },
  })
}

async function sendMessages(world: World, next: NextText): Promise<string> {
  const deps = { clock: systemClock, ids: systemIds }
  const field = () => escapeText(next(), standardDelimiters)
  const person = { patientId: 'HOSTILE-1', familyName: field(), givenName: field(), city: field(), phone: field() }
  const controlId = systemIds.uuid().slice(0, 18)
  const visit = { ward: field(), visitNumber: field(), sendingApplication: field().slice(0, 40) }
  await send(world, 'adt', adtA01({ ...person, ...visit, controlId }, deps))
  const result = {
    code: 'HOSTILE',
    name: field(),
    codeSystem: 'L',
    type: 'ST',
    value: field(),
    unit: field(),
  }
  const lab = { ...person, results: [{ ...result, range: field() }], more: [`NTE|1||${field()}`] }
  await send(world, 'oru', oruR01(lab, deps))
  await send(world, 'oru', vxuV04({ ...person, vaccine: `99^${field()}^L`, lotNumber: field() }, deps))
  // One that fails, with a text in every part that an error may repeat.
  await send(
    world,
    'adt',
    `MSH|^~\\&|${field()}|${field()}|HUB|X|20260101||ADT^A01|${systemIds.uuid().slice(0, 18)}|P|9.9\r${field()}|1\r`,
  )
  const { content } = (await call(world, 'bridge', 'GET', `/api/transactions?controlId=${controlId}`)) as {
    content: { transactionId: string }[]
  }
  return content[0]?.transactionId ?? ''
}

async function send(world: World, channel: ChannelId, message: string): Promise<void> {
  const { port } = world.corridor.configuration.bridge.channels[channel]
  await using sender = await openHl7Sender({ host: '127.0.0.1', port })
  await sender.send(message)
}

async function call(
  world: World,
  service: ServiceName,
  method: string,
  path: string,
  body?: object,
  as: TokenWish = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${world.origin(service)}${path}`, {
    method,
    headers: {
      authorization: await world.bearer(as),
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert(answer.ok, `${method} ${path} was answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}
