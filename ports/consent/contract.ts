import { describe, expect, it } from 'vitest'
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

type Given = Partial<ConsentQuestion>

/** Each question, and what becomes of it where there is a service to answer it. */
const questions: readonly (readonly [string, (world: ConsentWorld) => Given, 'yes' | 'no' | 'no answer'])[] = [
  ['what is permitted', () => ({}), 'yes'],
  [
    'a bare patient id, several actors and a purpose',
    ({ patientId, actorReference }) => ({
      patientId: patientId.replace('Patient/', ''),
      actorReferences: ['Device/unknown', actorReference],
      purposeOfUse: 'TREATMENT',
    }),
    'yes',
  ],
  ['another operation', () => ({ fhirOperation: 'UPDATE' }), 'no'],
  ['another type', () => ({ resourceType: 'Condition' }), 'no'],
  ['another actor', () => ({ actorReferences: ['Device/unknown'] }), 'no'],
  ['a patient who has opted out', ({ optedOutPatientId }) => ({ patientId: optedOutPatientId }), 'no'],
  ['a patient that is none', () => ({ patientId: 'no id' }), 'no answer'],
  ['no actor', () => ({ actorReferences: [] }), 'no answer'],
  ['an unknown type', () => ({ resourceType: 'Foo' }), 'no answer'],
]

/** What holds for every implementation. One that reaches no service has no answer to anything, and so permits nothing. */
export function consentContract(
  name: string,
  world: () => ConsentWorld,
  { reaches = true }: { readonly reaches?: boolean } = {},
): void {
  const question = (given: Given = {}): ConsentQuestion => ({
    patientId: world().patientId,
    actorReferences: [world().actorReference],
    resourceType: 'Observation',
    fhirOperation: 'READ',
    ...given,
  })
  const answered = (permitted: boolean) =>
    reaches ? { is: 'answered', permitted } : { is: 'unanswered', permitted: false }

  describe(`${name} consent port`, () => {
    it.each(questions)('about %s', async (_what, given, becomes) => {
      const expected = becomes === 'no answer' ? { is: 'unanswered', permitted: false } : answered(becomes === 'yes')
      expect(await world().port.evaluate(question(given(world())))).toMatchObject(expected)
    })

    it('says why, and names the record and the decision where there is one', async () => {
      const yes = await world().port.evaluate(question())
      const no = await world().port.evaluate(question({ patientId: world().optedOutPatientId }))
      expect(yes.reason).toContain(reaches ? 'permitted by consent record' : 'could not be verified')
      expect(no.reason).toContain(reaches ? 'deny' : 'could not be verified')
      const named = yes.is === 'answered' ? [typeof yes.consentRecordId, yes.decisionId?.length] : []
      expect(named).toEqual(reaches ? ['number', 36] : [])
      expect([yes, no].map((answer) => (answer.is === 'answered' ? answer.outcome : 'none'))).toEqual(
        reaches ? ['PERMIT', 'DENY'] : ['none', 'none'],
      )
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
      expect(answers.map(({ permitted }) => permitted)).toEqual(answers.map((_, n) => reaches && n % 2 === 0))
    })
  })
}
