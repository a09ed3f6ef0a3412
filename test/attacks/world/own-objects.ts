import { assert } from '../../../packages/faults/fault.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { oruR01 } from '../../../packages/testkit/hl7-messages.ts'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import type { ServiceName } from '../../../apps/corridor/service-names.ts'
import type { World } from './world.ts'

/** A clinician of the hospital that owns what is made here, and one of the other facility. */
export const amara: TokenWish = { role: 'CLINICIAN' }
export const baraka: TokenWish = {
  role: 'CLINICIAN',
  subject: 'dr-baraka',
  fhirUser: 'Practitioner/dr-baraka',
  organisation: 'Organization/lakeside-clinic',
}

/** Makes things that exist, through the front door. */
export class OwnObjects {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async consent(as: TokenWish = amara, patientId = 'Patient/amina-diallo'): Promise<{ id: number; fhirId: string }> {
    const body = { patientId, provisionType: 'permit', scopeValues: ['patient/Observation.rs'] }
    const { value, link } = await this.#call('consent', 'POST', '/api/consent', as, body)
    return { id: Number(value['id']), fhirId: /Consent\/([^>]+)>/.exec(link)?.[1] ?? '' }
  }

  async referral(patientId = 'Patient/amina-diallo'): Promise<number> {
    const receiver = { receivingFacilityClientId: 'lakeside-clinic', performerId: 'Organization/lakeside-clinic' }
    const body = { patientId, requesterId: 'Practitioner/dr-amara', referralDisplay: 'Cardiology', ...receiver }
    const { value } = await this.#call('referral', 'POST', '/api/referrals', amara, body)
    return Number(value['id'])
  }

  /** One that has been sent, and its task. */
  async sentReferral(): Promise<{ id: number; taskId: number }> {
    const id = await this.referral()
    await this.#call('referral', 'POST', `/api/referrals/${id}/send`, amara)
    const { value } = await this.#call('referral', 'GET', `/api/referrals/${id}/tasks`, amara)
    // Sound: the answer is a list of tasks.
    return { id, taskId: Number((value as unknown as { id: number }[])[0]?.id) }
  }

  async rejectedReferral(): Promise<number> {
    const { id, taskId } = await this.sentReferral()
    const path = `/api/referrals/${id}/tasks/${taskId}`
    await this.#call('referral', 'PATCH', path, baraka, { status: 'RECEIVED' })
    await this.#call('referral', 'PATCH', path, baraka, { status: 'REJECTED', rejectionReason: 'No bed' })
    return id
  }

  async unmappedCode(): Promise<string> {
    const { port } = this.#world.corridor.configuration.bridge.channels.oru
    const code = `LOCAL-${systemIds.uuid().slice(0, 8)}`
    await using sender = await openHl7Sender({ host: '127.0.0.1', port })
    const result = { code, name: 'Local', codeSystem: 'L', value: '1' }
    await sender.send(oruR01({ results: [result] }, { ids: systemIds, clock: systemClock }))
    const admin = { role: 'SYSTEM' } as const
    const { value } = await this.#call('bridge', 'GET', '/api/unmapped-codes', admin)
    // Sound: the answer is a page of codes.
    const { content } = value as unknown as { content: { id: string; code: string }[] }
    return content.find((item) => item.code === code)?.id ?? ''
  }

  async #call(service: ServiceName, method: string, path: string, as: TokenWish, body?: object) {
    const answer = await fetch(`${this.#world.origin(service)}${path}`, {
      method,
      headers: {
        authorization: await this.#world.corridor.bearerFor(as),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert(answer.ok, `${method} ${path} was answered ${answer.status}: ${text}`)
    return { value: JSON.parse(text) as Record<string, unknown>, link: answer.headers.get('link') ?? '' }
  }
}
