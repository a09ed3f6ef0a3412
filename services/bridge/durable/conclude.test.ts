import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../packages/faults/fault.ts'
import { circuitOpenCode } from '../breakers/circuit-breaker.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { unanswered } from '../pipeline/stop.ts'
import { stoppedByStore } from '../pipeline/stopped-by-store.ts'
import { failed } from '../testing/flow-world.ts'
import { conclude } from './conclude.ts'

const rule = { maxAttempts: 10, baseMs: 1_000, maxMs: 300_000, multiplier: 2 }
const now = new Date(0)

const withoutConsent = (options: Parameters<typeof unavailable>[1]): Outcome => ({
  ...failed('AE'),
  ...unanswered('CONSENT_UNAVAILABLE', 'The consent service', unavailable('away', options)),
})

const after = (outcome: Outcome, attempt: number) =>
  conclude(outcome, { attempt, attemptLimit: 10, isAcknowledged: true }, rule, {
    now,
    random: { fraction: () => 0.5, below: () => 0 },
  })

describe('an acknowledged message whose dependency is away', () => {
  it('loses no attempt while nobody is called, however long that is, and waits until it makes sense to', () => {
    const { outcome, park } = after(withoutConsent({ code: circuitOpenCode, retryAfterSeconds: 30 }), 10)
    expect(outcome).toMatchObject({ status: 'QUEUED', errorCode: 'CONSENT_UNAVAILABLE', wasCalled: false })
    expect(park).toEqual({ dueAt: new Date(30_000), attempt: 10 })
  })

  it('loses one whenever somebody was, and is given up after the last', () => {
    expect(after(withoutConsent({}), 1).park).toEqual({ dueAt: new Date(1_000), attempt: 2 })
    const given = {
      status: 'ERROR',
      errorMessage: 'The consent service gave no answer. away. Given up after 10 attempts.',
    }
    expect(after(withoutConsent({}), 10)).toMatchObject({ outcome: given, park: undefined })
  })

  it('is not said to wait any more when it is given up', () => {
    const parked = { ...failed('AE'), ...stoppedByStore(unavailable('away')) } as Outcome
    const given = {
      status: 'ERROR',
      errorMessage: 'The FHIR store gave no answer. away. Given up after 10 attempts.',
    }
    expect(after(parked, 10).outcome).toMatchObject(given)
  })

  it('is not tried before the dependency wants it', () => {
    expect(after(withoutConsent({ retryAfterSeconds: 60 }), 1).park?.dueAt).toEqual(new Date(60_000))
  })

  it.each([3_601, 31_536_000, Number.MAX_SAFE_INTEGER])(
    'is tried after an hour where it wants %i seconds',
    (seconds) => {
      expect(after(withoutConsent({ retryAfterSeconds: seconds }), 1).park?.dueAt).toEqual(new Date(3_600_000))
    },
  )
})
