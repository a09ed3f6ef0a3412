import { askForDemoToken, tokenIn } from '../../../packages/testkit/demo-token.ts'
import type { TestCorridor } from '../../../packages/testkit/run-corridor.ts'
import { insist, type Insisted } from './insist.ts'

/** A program with an account of its own, which writes what must be there exactly once. */
export class Writer {
  readonly #platform: Pick<TestCorridor, 'url'>
  readonly #authorization: string
  /** Identifiers that were written, each by two at once. */
  readonly identifiers: string[] = []
  /** Patients whose consent was recorded and revoked. */
  readonly patients: string[] = []

  private constructor(platform: Pick<TestCorridor, 'url'>, authorization: string) {
    this.#platform = platform
    this.#authorization = authorization
  }

  static async open(platform: Pick<TestCorridor, 'url'>): Promise<Writer> {
    const { text } = await insist(() => askForDemoToken(platform.url('auth')))
    return new Writer(platform, `Bearer ${tokenIn(text)}`)
  }

  send(method: string, url: string, body?: unknown, more: Readonly<Record<string, string>> = {}): Promise<Insisted> {
    const type = { 'content-type': url.includes('/fhir/') ? 'application/fhir+json' : 'application/json' }
    const headers = { authorization: this.#authorization, ...(body === undefined ? {} : type), ...more }
    return insist(() => fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }))
  }

  /** Two at once, so one at each copy: whoever comes second is given what the first one made. */
  async createOnce(number: number): Promise<void> {
    const value = `once-${number}`
    const resource = {
      ...{ resourceType: 'Observation', status: 'final', code: { text: 'written once' } },
      identifier: [{ system: 'urn:written-once', value }],
    }
    const condition = { 'if-none-exist': `identifier=urn:written-once|${value}` }
    const create = () => this.send('POST', `${this.#platform.url('fhir')}/Observation`, resource, condition)
    const answers = await Promise.all([create(), create()])
    const places = answers.map(({ headers }) => headers.get('location')?.replace(/\/_history.*/, ''))
    const statuses = answers.map(({ status }) => status)
    if (!statuses.every((status) => status === 200 || status === 201) || places[0] !== places[1]) {
      throw new Error(`conditional create: ${statuses.join(', ')} at ${places.join(', ')}`)
    }
    this.identifiers.push(value)
  }

  /** What one copy has answered holds at the other, at once. */
  async agreeAndRevoke(number: number): Promise<void> {
    const patientId = `Patient/agreed-${number}`
    const url = `${this.#platform.url('consent')}/api/consent`
    const actorReference = 'Organization/elsewhere'
    const recorded = await this.send('POST', url, {
      ...{ patientId, actorReference, provisionType: 'permit', scopeValues: ['patient/*.rs'] },
    })
    if (recorded.status !== 201) throw new Error(`consent: ${recorded.status} ${recorded.text}`)
    await this.#demandDecision(patientId, actorReference, true)
    // A recording that broke off and was repeated may have left two records; both are to go.
    const there = await this.send('GET', `${url}/patient/${patientId.slice('Patient/'.length)}`)
    for (const id of activeIds(there.text)) {
      const revoked = await this.send('POST', `${url}/${id}/revoke`)
      if (revoked.status !== 200) throw new Error(`revocation: ${revoked.status} ${revoked.text}`)
    }
    await this.#demandDecision(patientId, actorReference, false)
    this.patients.push(patientId)
  }

  async #demandDecision(patientId: string, actorReference: string, wanted: boolean): Promise<void> {
    const query = new URLSearchParams({
      ...{ patientId, actorReference, resourceType: 'Observation', fhirOperation: 'READ' },
    })
    const ask = () => this.send('POST', `${this.#platform.url('consent')}/api/consent/evaluate?${query}`)
    for (const { status, text } of await Promise.all([ask(), ask(), ask(), ask()])) {
      const { permitted } = JSON.parse(text) as { permitted?: boolean }
      if (permitted !== wanted) throw new Error(`decision: ${status} ${text}, wanted ${wanted}`)
    }
  }
}

function activeIds(text: string): number[] {
  const records = JSON.parse(text) as readonly { readonly id: number; readonly status: string }[]
  return records.filter(({ status }) => status === 'active').map(({ id }) => id)
}
