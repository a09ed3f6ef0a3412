import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { missing, unauthenticated } from '../faults/fault.ts'
import { limitFailures, MemoryFailureLimiter } from './rate-limit.ts'

function limiter(keysMax?: number) {
  const clock = new SimulatedClock()
  const limit = { failuresMax: 3, windowMs: 60_000, ...(keysMax === undefined ? {} : { keysMax }) }
  return { clock, failures: new MemoryFailureLimiter(limit, clock) }
}

describe('failures', () => {
  it('are counted for each key by itself, and the next attempt after the last allowed one must wait', async () => {
    const { clock, failures } = limiter()
    for (let count = 0; count < 3; count++) {
      await failures.check('amina')
      await failures.failed('amina')
    }
    await clock.advance(20_500)
    await expect(failures.check('amina')).rejects.toMatchObject({ kind: 'too-much', retryAfterSeconds: 40 })
    await failures.check('kofi')
    await clock.advance(39_499)
    await expect(failures.check('amina')).rejects.toMatchObject({ retryAfterSeconds: 1 })
    await clock.advance(1)
    await failures.check('amina')
  })

  it('are forgotten after a success', async () => {
    const { failures } = limiter()
    for (let count = 0; count < 3; count++) await failures.failed('amina')
    await failures.succeeded('amina')
    await expect(failures.check('amina')).resolves.toBeUndefined()
  })

  it('take bounded memory: the key that failed longest ago goes first', async () => {
    const { failures } = limiter(2)
    for (let count = 0; count < 3; count++) await failures.failed('old')
    await failures.failed('b')
    await failures.failed('c')
    await expect(failures.check('old')).resolves.toBeUndefined()
  })

  it('are those of the caller; successes and other faults do not count', async () => {
    const { failures } = limiter()
    const attempt = (work: () => Promise<string>) => limitFailures(failures, 'k', work)
    for (let count = 0; count < 10; count++) expect(await attempt(async () => 'ok')).toBe('ok')
    for (let count = 0; count < 10; count++)
      await expect(attempt(() => Promise.reject(missing('x')))).rejects.toThrow('x')
    const wrong = () => Promise.reject(unauthenticated('wrong'))
    for (let count = 0; count < 3; count++) await expect(attempt(wrong)).rejects.toThrow('wrong')
    await expect(attempt(async () => 'ok')).rejects.toThrow('Too many failed attempts.')
  })
})
