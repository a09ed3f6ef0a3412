import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { adtA01, oruR01, vxuV04 } from '../../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import type { Canaries } from '../../../packages/testkit/log-canaries.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import type { ServiceName } from '../../../apps/corridor/service-names.ts'
import type { ChannelId } from '../../../services/bridge/pipeline/channel.ts'
import type { LeakingCorridor } from './leaking-corridor.ts'

const encoded = encodeURIComponent
const deps = { clock: systemClock, ids: systemIds }

/** Messages: an admission, a result and a vaccination, then the same broken. Answers with the codes of the answers. */
export async function sendMessages(place: LeakingCorridor, canaries: Canaries): Promise<readonly string[]> {
  const person = {
    ...{ familyName: canaries.one('name'), givenName: canaries.one('name', 1), phone: canaries.one('phone') },
    ...{ birthDate: canaries.one('birth date').replaceAll('-', ''), patientId: canaries.one('national id') },
    city: canaries.one('address').replaceAll('"', ''),
  }
  const result = { code: '718-7', name: 'Hb', type: 'ST', value: canaries.one('observation text') }
  const note = `NTE|1||${canaries.one('note').replaceAll('&', '')}`
  const messages: readonly (readonly [ChannelId, string])[] = [
    ['adt', adtA01(person, deps)],
    ['oru', oruR01({ ...person, results: [result], more: [note] }, deps)],
    ['oru', vxuV04({ ...person, vaccine: `08^${canaries.one('observation text', 1)}^CVX` }, deps)],
    // Broken: an unknown version, a missing header field, a wrong channel, a date that is none, no message at all.
    ['adt', adtA01({ ...person, version: '9.9' }, deps)],
    ['adt', adtA01({ ...person, controlId: '' }, deps)],
    ['adt', oruR01(person, deps)],
    ['adt', adtA01({ ...person, birthDate: canaries.one('name', 3) }, deps)],
    ['oru', oruR01({ ...person, results: [{ ...result, type: 'NM' }] }, deps)],
    ['adt', `${canaries.one('name')}|${canaries.one('national id')}\r`],
    [
      'qbp',
      `MSH|^~\\&|A|CENTRAL|B|C|2026||QBP^Q22^QBP_Q21|${systemIds.uuid().slice(0, 18)}|P|2.5.1\rQPD|IHE PDQ Query|T1|@PID.5.1^${canaries.one('name')}\rRCP|I\r`,
    ],
  ]
  const codes: string[] = []
  for (const [channel, message] of messages) {
    const { port } = place.corridor.configuration.bridge.channels[channel]
    await using sender = await openHl7Sender({ host: '127.0.0.1', port })
    const answer = await sender.send(message).catch(() => undefined)
    codes.push(answer?.ackCode ?? 'none')
    if (answer !== undefined && answer.ackCode !== 'AA') place.refusals.push(withoutQuestion(answer.raw))
  }
  return codes
}

/** Calls of every API with patient data where it belongs, and where it does not. */
export async function callApis(place: LeakingCorridor, canaries: Canaries): Promise<void> {
  const { one } = { one: canaries.one.bind(canaries) }
  const send = caller(place)
  const staff: TokenWish = { roles: ['CLINICIAN', 'ADMIN', 'SYSTEM'], scope: 'user/*.cruds system/*.cruds' }
  const patient = {
    ...{
      resourceType: 'Patient',
      name: [{ family: one('name'), given: [one('name', 1)] }],
      birthDate: one('birth date'),
    },
    ...{ identifier: [{ system: 'https://ids.example', value: one('national id', 1) }] },
    ...{ telecom: [{ system: 'phone', value: one('phone', 1) }], address: [{ line: [one('address', 1)] }] },
  }
  await send('fhir', 'POST', '/Patient', staff, patient)
  await send('fhir', 'POST', '/Patient', staff, { ...patient, birthDate: one('name'), gender: one('note') })
  await send('fhir', 'POST', '/Patient', staff, `{"name":"${one('name')}`)
  await send('fhir', 'PUT', `/Patient/${encoded(one('name'))}`, staff, patient)
  await send('fhir', 'GET', `/Patient/${encoded(one('national id'))}`, staff)
  await send('fhir', 'GET', `/Patient?name=${encoded(one('name'))}&birthdate=${encoded(one('note'))}`, staff)
  await send('fhir', 'GET', `/Patient?unknown-${encoded(one('name'))}=x`, { ...staff, scope: 'user/Patient.s' })
  await send('fhir', 'GET', `/${encoded(one('name'))}`, staff)
  await send('fhir', 'POST', '/Patient/$match', staff, {
    resourceType: 'Parameters',
    parameter: [{ name: one('name') }],
  })
  await send('fhir', 'POST', '/Bundle/$validate', staff, { resourceType: one('note') })
  const consent = { patientId: 'Patient/amina-diallo', provisionType: 'permit', note: one('note', 1) }
  await send('consent', 'POST', '/api/consent', staff, consent)
  await send('consent', 'POST', '/api/consent', staff, {
    ...consent,
    provisionType: one('name'),
    patientId: one('name', 1),
  })
  await send(
    'consent',
    'POST',
    `/api/consent/evaluate?patientId=${encoded(one('name'))}&actorReference=${encoded(one('note'))}`,
    staff,
  )
  const receiver = { receivingFacilityClientId: 'lakeside-clinic', performerId: 'Organization/lakeside-clinic' }
  const referral = { patientId: 'Patient/amina-diallo', requesterId: 'Practitioner/dr-amara', ...receiver }
  const made = await send('referral', 'POST', '/api/referrals', staff, { ...referral, clinicalNote: one('note', 2) })
  await send('referral', 'POST', `/api/referrals/${made}/send`, staff)
  await send('referral', 'POST', `/api/referrals/${made}/hold?reason=${encoded(one('note', 3))}`, staff)
  await send('referral', 'POST', '/api/referrals', staff, { ...referral, patientId: one('name'), clinicalNote: 7 })
  await send(
    'bridge',
    'GET',
    `/api/transactions?q=${encoded(one('name'))}&patientId=${encoded(one('national id'))}`,
    staff,
  )
  await send('bridge', 'GET', `/api/transactions/${encoded(one('name'))}/raw`, staff)
  await send('bridge', 'GET', `/api/transactions?from=${encoded(one('name'))}`, staff)
}

/** Secrets, where they belong and are wrong, and where they do not belong. */
export async function showSecrets(place: LeakingCorridor, canaries: Canaries): Promise<void> {
  const one = canaries.one.bind(canaries)
  const auth = place.url('auth')
  const form = (path: string, fields: Record<string, string>, headers = {}) =>
    place.call(`${auth}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers })
  await form('/login', { username: 'clinician', password: one('password') }, { accept: 'text/html' })
  await form('/login', { username: one('password', 1), password: one('password', 2) })
  await form('/oauth2/token', {
    ...{ grant_type: 'authorization_code', code: one('code'), code_verifier: one('verifier') },
    ...{ client_id: 'demo-app', redirect_uri: 'http://localhost:3000/callback' },
  })
  await form('/oauth2/token', { grant_type: 'refresh_token', refresh_token: one('token'), client_id: 'demo-app' })
  await form('/oauth2/token', {
    grant_type: 'client_credentials',
    client_id: 'svc-bridge',
    client_secret: one('password'),
  })
  await form('/oauth2/token', {
    grant_type: one('code', 1),
    client_assertion: one('token', 1),
    client_id: one('code', 2),
  })
  await form(
    '/oauth2/introspect',
    { token: one('token', 2) },
    { authorization: `Basic ${btoa(`svc-bridge:${one('password', 3)}`)}` },
  )
  await form('/oauth2/revoke', { token: one('token', 3), client_id: 'demo-app' })
  await place.call(
    `${auth}/oauth2/authorize?client_id=demo-app&launch=${encoded(one('launch'))}&state=${encoded(one('code', 3))}`,
  )
  await place.call(`${place.url('immunization')}/callback?code=${encoded(one('code'))}&state=${encoded(one('launch'))}`)
  await place.call(`${place.url('immunization')}/launch?launch=${encoded(one('launch'))}&iss=${encoded(one('name'))}`)
  for (const service of ['fhir', 'consent', 'referral', 'bridge', 'immunization', 'auth'] as const) {
    const { origin } = new URL(place.url(service))
    const headers = {
      authorization: `Bearer ${one('token')}`,
      cookie: `corridor_${service}=${one('cookie')}; corridor_${service}_session=${one('cookie', 1)}`,
    }
    await place.call(`${origin}/actuator/health`, { headers })
    await place.call(`${origin}/${encoded(one('name'))}?access_token=${encoded(one('token'))}`, { headers })
    await place.call(`${origin}/docs`, { headers: { ...headers, 'x-request-id': one('note') } })
  }
}

type Body = object | string | undefined

/** QPD is the question itself, which every answer to it gives back to whoever asked. */
const withoutQuestion = (answer: Buffer): string =>
  answer
    .toString('utf8')
    .split('\r')
    .filter((segment) => !segment.startsWith('QPD|'))
    .join('\r')

/** Calls a service as somebody; answers with the id of what was made. */
function caller(place: LeakingCorridor) {
  return async (service: ServiceName, method: string, path: string, as: TokenWish, body?: Body): Promise<number> => {
    const answer = await place.call(`${place.url(service)}${path}`, {
      method,
      headers: {
        authorization: await place.corridor.bearerFor(as),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return text.startsWith('{') ? Number((JSON.parse(text) as { id?: unknown }).id) : 0
  }
}
