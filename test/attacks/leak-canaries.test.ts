import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { pass, refuse, type FaultMode } from '../../packages/testkit/fault-modes.ts'
import { findCanaries } from '../../packages/testkit/find-canaries.ts'
import { Canaries, makeCanaries } from '../../packages/testkit/log-canaries.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'
import { callApis, sendMessages, showSecrets } from './leaks/flows.ts'
import { LeakingCorridor } from './leaks/leaking-corridor.ts'
import { slowMs } from './world/slow.ts'

/** Patient data and secrets that occur nowhere by chance, through every flow, whole and broken; then nowhere to be found. */

let place: LeakingCorridor
const canaries = makeCanaries(20_261)
beforeAll(async () => {
  place = await LeakingCorridor.start()
})
afterAll(() => place?.[Symbol.asyncDispose]())

/** A dependency that answers with what it knows: a page about its failure that quotes the request. */
const quoting = (httpStatus: number): FaultMode => ({
  ...{ kind: 'http', httpStatus, contentType: 'application/json' },
  body: `{"error":"failed for ${canaries.one('name', 4)}, born ${canaries.one('birth date', 4)}: ${canaries.one('note', 4)}`,
})

async function found(extra: Canaries = new Canaries([])): Promise<string[]> {
  const all = new Canaries([...canaries.all, ...extra.all])
  return Object.entries(await place.traces()).flatMap(([where, text]) =>
    findCanaries(text, all).map(({ kind, form, excerpt }) => `${where}: ${kind} (${form}) …${excerpt}…`),
  )
}

describe('patient data and secrets', { timeout: slowMs }, () => {
  it('of flows that go well, and of requests that are wrong, are in no log, metric, refusal, address or audit', async () => {
    const codes = await sendMessages(place, canaries)
    expect(codes.slice(0, 3)).toEqual(['AA', 'AA', 'AA'])
    expect(codes.slice(3).filter((code) => code !== 'AA').length).toBeGreaterThan(2)
    await callApis(place, canaries)
    await showSecrets(place, canaries)
    expect(await found()).toEqual([])
  })

  it.each<[string, FaultMode]>([
    ['does not answer', refuse],
    ['fails and quotes the patient', quoting(500)],
    ['answers with broken JSON that quotes the patient', quoting(200)],
    ['refuses and quotes the patient', quoting(422)],
  ])('are nowhere when the FHIR store %s', async (_how, mode) => {
    await place.fhir.set(mode)
    await sendMessages(place, canaries)
    await callApis(place, canaries)
    await place.fhir.set(pass)
    expect(await found()).toEqual([])
  })

  it.each<[string, FaultMode]>([
    ['does not answer', refuse],
    ['fails and quotes the patient', quoting(500)],
    ['answers with broken JSON that quotes the patient', quoting(200)],
  ])('are nowhere when the consent service %s', async (_how, mode) => {
    await place.consent.set(mode)
    await sendMessages(place, canaries)
    await callApis(place, canaries)
    await place.consent.set(pass)
    expect(await found()).toEqual([])
  })

  it('that are made in a launch are nowhere either', async () => {
    const visitor = new AppVisitor(place.corridor)
    await visitor.launch('amina-diallo')
    await visitor.get('/certificate')
    const token = await demoToken(place.url('auth'), 'svc-bridge')
    const secrets = [...visitor.cookies.values(), token]
    expect(secrets.length).toBeGreaterThan(2)
    expect(await found(new Canaries(secrets.map((value) => ({ kind: 'cookie', value }))))).toEqual([])
  })

  it('are found where they are: the search sees every form of them', async () => {
    const { metrics = '' } = await place.traces()
    const planted = `${metrics} ${Buffer.from(canaries.one('name')).toString('base64')}`
    expect(findCanaries(planted, canaries)).toHaveLength(1)
  })
})
