import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../packages/faults/fault.ts'
import { capturedLog } from '../../packages/testkit/captured-log.ts'
import type { Answered, Consent, ConsentAnswer, ConsentQuestion } from '../../ports/consent/consent.ts'
import { unanswered } from '../../ports/consent/read-answer.ts'
import { askConsentGate, gateDeadlineMs } from './consent-gate.ts'
import { facilityDirectory } from './facilities.ts'
import { gateFailed } from './refusals.ts'

const shared = {
  patientId: 'Patient/p1',
  receivingFacilityClientId: 'lakeside-clinic',
  performerId: 'Organization/lakeside-clinic',
  sharedResourceTypes: ['Observation', 'Condition', 'Immunization'],
  supportingInfo: [],
}

const facilities = facilityDirectory([
  {
    ...{ clientId: 'hill-clinic', organisation: 'Organization/hill' },
    ...{ webhook: undefined, email: undefined, phone: undefined },
  },
])

const common = { patientId: 'Patient/p1', fhirOperation: 'READ', purposeOfUse: 'TREATMENT' }

const answered = (permitted: boolean): Answered => ({
  is: 'answered',
  permitted,
  outcome: permitted ? 'PERMIT' : 'DENY',
  reason: 'five checks',
  consentRecordId: null,
  decisionId: null,
})
const said = (outcome: Answered['outcome'], consentRecordId: number | null): Answered => ({
  ...answered(outcome === 'PERMIT'),
  outcome,
  consentRecordId,
})
const silent = said('NO_CONSENT', null)
const noAnswer = unanswered(unavailable('The consent service cannot be reached.'))

describe('the gate', () => {
  it('asks once about each type, for the facility under all of its names', async () => {
    const asked: ConsentQuestion[] = []
    const gate = await ask(
      { ...shared, sharedResourceTypes: ['Observation', 'Condition', 'Observation'] },
      async (question) => {
        asked.push(question)
        return { ...answered(true), consentRecordId: 7, decisionId: 'd-1' }
      },
    )
    const actorReferences = ['Device/lakeside-clinic', 'Organization/lakeside-clinic']
    expect(asked).toEqual([
      { ...common, actorReferences, resourceType: 'Observation' },
      { ...common, actorReferences, resourceType: 'Condition' },
    ])
    expect(gate).toMatchObject({ passes: true, checks: [{ outcome: 'PERMITTED', consentRecordId: 7 }, {}] })
  })

  it.each([
    ['when there is no performer', 'lakeside-clinic', null, ['Organization/lakeside-clinic']],
    [
      'when the performer is another',
      'lakeside-clinic',
      'Organization/x',
      ['Organization/x', 'Organization/lakeside-clinic'],
    ],
    ['as the configuration has it', 'hill-clinic', null, ['Organization/hill']],
  ])(
    'names the organisation of the facility %s',
    async (_when, receivingFacilityClientId, performerId, organisations) => {
      const asked: string[][] = []
      await ask({ ...shared, receivingFacilityClientId, performerId }, async ({ actorReferences }) => {
        asked.push([...actorReferences])
        return answered(true)
      })
      expect(asked[0]).toEqual([`Device/${receivingFacilityClientId}`, ...organisations])
      expect(asked).toHaveLength(shared.sharedResourceTypes.length)
    },
  )

  it('asks under every id of somebody who was merged, and what one of them refuses is refused', async () => {
    const formerIdsOf = async () => ['Patient/p0']
    const asked: string[] = []
    const evaluate = async ({ patientId, resourceType }: ConsentQuestion) => {
      asked.push(`${patientId} ${resourceType}`)
      return answered(patientId !== 'Patient/p0' || resourceType !== 'Condition')
    }
    const deps = {
      facilities,
      ownDocuments: async () => [],
      formerIdsOf,
      clock: new SimulatedClock(),
      log: capturedLog().log,
    }
    const gate = await askConsentGate(
      { ...shared, sharedResourceTypes: ['Observation', 'Condition'] },
      {
        ...{ consent: { evaluate }, ...deps },
      },
    )
    expect(asked.sort()).toEqual([
      ...['Patient/p0 Condition', 'Patient/p0 Observation', 'Patient/p1 Condition', 'Patient/p1 Observation'],
    ])
    expect(gate).toMatchObject({ passes: false, checks: [{ outcome: 'PERMITTED' }, { outcome: 'REFUSED' }] })
  })

  it.each<[string, readonly ConsentAnswer[], string, number | null]>([
    ['one permits and the others are silent', [silent, said('PERMIT', 2), silent], 'PERMITTED', 2],
    ['the id of today permits and the former one is silent', [said('PERMIT', 1), silent], 'PERMITTED', 1],
    ['one refuses and another permits', [said('PERMIT', 1), said('DENY', 2)], 'REFUSED', 2],
    ['one refuses and another has no answer', [noAnswer, said('DENY', 2)], 'REFUSED', 2],
    ['one permits and another has no answer', [said('PERMIT', 1), noAnswer], 'UNVERIFIED', null],
    ['one is silent and another has no answer', [silent, noAnswer], 'UNVERIFIED', null],
    ['all are silent', [silent, silent], 'REFUSED', null],
    // Sound: another consent service may leave it out, and then a no is a refusal.
    [
      'one says no without saying why',
      [said('PERMIT', 1), { ...silent, outcome: undefined } as never],
      'REFUSED',
      null,
    ],
  ])('of somebody who was merged, where %s', async (_where, answers, outcome, consentRecordId) => {
    const ids = ['Patient/p1', ...answers.slice(1).map((_answer, index) => `Patient/former-${index}`)]
    const gate = await askConsentGate(
      { ...shared, sharedResourceTypes: ['Observation'] },
      {
        consent: { evaluate: async ({ patientId }) => answers[ids.indexOf(patientId)] ?? noAnswer },
        ...{ facilities, ownDocuments: async () => [], formerIdsOf: async () => ids.slice(1) },
        ...{ clock: new SimulatedClock(), log: capturedLog().log },
      },
    )
    expect(gate).toMatchObject({
      passes: outcome === 'PERMITTED',
      checks: [{ resourceType: 'Observation', outcome, consentRecordId }],
    })
  })

  it('passes without a question when nothing is shared', async () => {
    const gate = await ask({ ...shared, sharedResourceTypes: [] }, () => Promise.reject(new Error('was asked')))
    expect(gate).toEqual({ passes: true, checks: [], documents: [] })
  })

  it.each<[string, Consent['evaluate'], string]>([
    [
      'every type is refused',
      async () => answered(false),
      'The patient has not agreed to share Observation, Condition, Immunization with the receiving facility.',
    ],
    [
      'one type is refused',
      async ({ resourceType }) => answered(resourceType !== 'Condition'),
      'The patient has not agreed to share Condition with the receiving facility.',
    ],
    [
      'the consent service cannot be reached',
      async () => unanswered(unavailable('The consent service cannot be reached.')),
      'Consent for Observation, Condition, Immunization could not be verified.',
    ],
    [
      'one type is refused and one has no answer',
      async ({ resourceType }) => {
        if (resourceType === 'Immunization') throw unavailable('The consent service cannot be reached.')
        return answered(resourceType === 'Observation')
      },
      'The patient has not agreed to share Condition with the receiving facility. Consent for Immunization could not be verified.',
    ],
    // Sound: these answers break the type on purpose, as a broken implementation would.
    ...(
      [
        'true',
        1,
        null,
        undefined,
        {},
        { permitted: true },
        { is: 'answered', permitted: 'true' },
        { is: 'answered', permitted: 1 },
        { is: 'yes', permitted: true },
      ] as never[]
    ).map((answer): [string, Consent['evaluate'], string] => [
      `the answer is ${JSON.stringify(answer)}`,
      async () => answer,
      'Consent for Observation, Condition, Immunization could not be verified.',
    ]),
  ])('stays closed when %s', async (_name, evaluate, message) => {
    const gate = await ask(shared, evaluate)
    expect(gate.passes).toBe(false)
    expect(gateFailed(gate)).toMatchObject({ kind: 'unprocessable', code: 'CONSENT_GATE_FAILED', message })
  })

  it('gives up after three seconds, even on an answer that would never come', async () => {
    const clock = new SimulatedClock()
    const asking = ask(
      shared,
      ({ resourceType }) => (resourceType === 'Condition' ? new Promise(() => {}) : Promise.resolve(answered(true))),
      clock,
    )
    await clock.advance(gateDeadlineMs)
    const gate = await asking
    expect(gate.checks.map(({ outcome }) => outcome)).toEqual(['PERMITTED', 'UNVERIFIED', 'PERMITTED'])
    expect(gateDeadlineMs).toBe(3_000)
    expect(clock.waiting).toBe(0)
  })

  it('logs no word of an error that is not ours', async () => {
    const log = capturedLog()
    await askConsentGate(shared, {
      consent: { evaluate: () => Promise.reject(new Error('Amina Diallo')) },
      facilities,
      ownDocuments: async () => [],
      formerIdsOf: async () => [],
      clock: new SimulatedClock(),
      log: log.log,
    })
    expect(log.events('consent could not be verified')).toHaveLength(3)
    expect(log.lines.join('')).not.toContain('Amina')
  })
})

const ask = (what: Parameters<typeof askConsentGate>[0], evaluate: Consent['evaluate'], clock = new SimulatedClock()) =>
  askConsentGate(what, {
    consent: { evaluate },
    facilities,
    ownDocuments: async () => [],
    formerIdsOf: async () => [],
    clock,
    log: capturedLog().log,
  })
