import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { makeOutbound } from '../../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { Role } from '../../../packages/tokens/caller.ts'
import { httpPatientReviews } from '../../../ports/patient-index/http-patient-reviews.ts'

describe('the reviews of the patient index, over HTTP', () => {
  let corridor: TestCorridor
  beforeAll(async () => {
    corridor = await testCorridor({ services: ['auth', 'fhir'] })
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  async function reviewsFor(role: Role) {
    const serviceUrl = corridor.url('fhir').replace(/\/fhir$/, '')
    const outbound = makeOutbound({
      ...{ origins: [serviceUrl], deadlineMs: 5_000, responseBytesMax: 1_000_000 },
      ...{ clock: systemClock, log: silentLog, metrics: new Metrics() },
    })
    const accessToken = (await corridor.bearerFor({ role })).replace('Bearer ', '')
    return httpPatientReviews({ serviceUrl, outbound, accessToken })
  }

  it('lists those that wait for an administrator', async () => {
    const reviews = await reviewsFor('ADMIN')
    expect(await reviews.open({ number: 0, size: 10 })).toEqual({ reviews: [], total: 0 })
  })

  it('are hidden from others', async () => {
    const reviews = await reviewsFor('CLINICIAN')
    await expect(reviews.open({ number: 0, size: 10 })).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('says that there is none of that id', async () => {
    const reviews = await reviewsFor('ADMIN')
    await expect(reviews.decide(systemIds.timeUuid(), 'reject')).rejects.toMatchObject({ kind: 'missing' })
  })
})
