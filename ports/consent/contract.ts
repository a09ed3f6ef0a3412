import { describe, expect, it } from 'vitest'
import { assert } from '../../packages/faults/fault.ts'
import type { Consent, ConsentQuestion } from './consent.ts'

/** A consent service that the port under test reaches, with what must be recorded there for the suite. */
export interface ConsentWorld {
  readonly port: Consent
  /** Permitted to read Observations for the actor, and nothing else. */
  readonly patientId: string
  readonly actorReference: string
  /** Has opted out of everything. */
  readonly optedOutPatientId: string
}

/** What holds for every implementation that reaches a consent service. */
export function describeConsentPort(name: string, world: () => ConsentWorld): void {
  const question = (given: Partial<ConsentQuestion> = {}): ConsentQuestion => ({
    patientId: world().patientId,
    actorReferences: [world().actorReference],
    resourceType: 'Observation',
    fhirOperation: 'READ',
    ...given,
  })

  describe(`${name} consent port`, () => {
    it('answers yes with the record, the reason and the decision', async () => {
      const answer = await world().port.evaluate(question())
      assert(answer.is === 'answered' && answer.permitted, 'the question was not answered with yes')
      expect(answer.reason).toContain(`permitted by consent record ${answer.consentRecordId}`)
      expect(answer.decisionId).toMatch(/^[0-9a-f-]{36}$/)
    })

    it.each([
      ['another operation', { fhirOperation: 'UPDATE' }],
      ['another type', { resourceType: 'Condition' }],
      ['another actor', { actorReferences: ['Device/unknown'] }],
    ] as const)('answers no to %s', async (_what, given) => {
      expect(await world().port.evaluate(question(given))).toMatchObject({ is: 'answered', permitted: false })
    })

    it('answers no for a patient who has opted out', async () => {
      const answer = await world().port.evaluate(question({ patientId: world().optedOutPatientId }))
      expect(answer).toMatchObject({ is: 'answered', permitted: false })
      expect(answer.reason).toContain('deny')
    })

    it('takes a bare patient id, several actors and a purpose', async () => {
      const answer = await world().port.evaluate(
        question({
          patientId: world().patientId.replace('Patient/', ''),
          actorReferences: ['Device/unknown', world().actorReference],
          purposeOfUse: 'TREATMENT',
        }),
      )
      expect(answer.permitted).toBe(true)
    })

    it.each([
      ['a patient that is none', { patientId: 'no id' }],
      ['no actor', { actorReferences: [] }],
      ['an unknown type', { resourceType: 'Foo' }],
    ])('has no answer, and so no permission, for %s', async (_what, given) => {
      expect(await world().port.evaluate(question(given))).toMatchObject({ is: 'unanswered', permitted: false })
    })

    it('has no answer for whoever has gone', async () => {
      const answer = await world().port.evaluate(question(), { signal: AbortSignal.abort() })
      expect(answer).toMatchObject({ is: 'unanswered', permitted: false })
    })

    it('answers many at once, each its own question', async () => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          world().port.evaluate(question(n % 2 === 0 ? {} : { fhirOperation: 'DELETE' })),
        ),
      )
      expect(answers.map(({ permitted }) => permitted)).toEqual(answers.map((_, n) => n % 2 === 0))
    })
  })
}
