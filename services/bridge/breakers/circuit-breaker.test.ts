import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { bug, conflict, faultKinds, faultOf, Fault, unavailable } from '../../../packages/faults/fault.ts'
import { CircuitBreaker, circuitOpenCode } from './circuit-breaker.ts'
import { allowanceIn } from './allowance.ts'

const fail = () => Promise.reject(unavailable('down'))
const refuse = () => Promise.reject(conflict('no'))
const succeed = () => Promise.resolve('well')

function breaker(clock = new SimulatedClock()) {
  const changes: string[] = []
  const made = new CircuitBreaker('store', { clock, onChange: (state) => changes.push(state) })
  const call = (work: () => Promise<unknown>) => made.call(work).catch((fault: Fault) => fault.code ?? fault.kind)
  const repeat = async (count: number, work: () => Promise<unknown>) => {
    for (let done = 0; done < count; done++) await call(work)
  }
  return { made, clock, changes, call, repeat }
}

describe('a circuit breaker', () => {
  it('opens after five failures in a row, not after four', async () => {
    const { made, repeat } = breaker()
    await repeat(4, fail)
    expect(made.entry).toEqual({ state: 'CLOSED', failureCount: 4, successCount: 0 })
    await repeat(1, fail)
    expect(made.entry).toEqual({ state: 'OPEN', failureCount: 0, successCount: 0 })
  })

  it('opens when half of ten calls failed, however they were mixed', async () => {
    const { made, call } = breaker()
    for (let pair = 0; pair < 4; pair++) {
      await call(fail)
      await call(succeed)
    }
    await call(succeed)
    expect(made.state).toBe('CLOSED')
    await call(fail)
    expect(made.state).toBe('OPEN')
  })

  it('looks at the last twenty calls only', async () => {
    const { made, repeat } = breaker()
    await repeat(4, fail)
    await repeat(20, succeed)
    expect(made.entry).toEqual({ state: 'CLOSED', failureCount: 0, successCount: 20 })
  })

  it.each(
    faultKinds.map((kind) => [kind, ['too-much', 'unavailable', 'bug', 'unauthenticated'].includes(kind)] as const),
  )('takes %s for a failure of the dependency: %s', async (kind, counts) => {
    const { made, repeat } = breaker()
    await repeat(5, () => Promise.reject(kind === 'bug' ? bug('x') : new Fault(kind, 'x')))
    expect(made.state).toBe(counts ? 'OPEN' : 'CLOSED')
  })

  it('takes calls that their caller gave up for no failures, and those that outlasted its time for some', async () => {
    const { made, clock } = breaker()
    const callUntil = (signal: AbortSignal) => {
      const work = () =>
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(faultOf(signal.reason))))
      return made.call(work, signal).catch(() => {})
    }
    const lease = new AbortController()
    const given = Array.from({ length: 5 }, () => callUntil(lease.signal))
    lease.abort(unavailable('This copy was taken for dead.', { code: 'LEASE_LOST' }))
    await Promise.all(given)
    expect(made.entry).toEqual({ state: 'CLOSED', failureCount: 0, successCount: 0 })

    using deadline = clock.deadline(1_000)
    const late = Array.from({ length: 5 }, () => callUntil(deadline.signal))
    await clock.advance(1_000)
    await Promise.all(late)
    expect(made.state).toBe('OPEN')
  })

  it('lets another call try in the place of one that was given up', async () => {
    const { made, clock, repeat } = breaker()
    await repeat(5, fail)
    await clock.advance(30_000)
    for (let given = 0; given < 4; given++) {
      const lease = new AbortController()
      const lose = () => {
        lease.abort(unavailable('This copy was taken for dead.'))
        return fail()
      }
      await made.call(lose, lease.signal).catch(() => {})
    }
    expect(made.state).toBe('HALF-OPEN')
    await repeat(3, succeed)
    expect(made.state).toBe('CLOSED')
  })

  it('learns nothing from those whose time was over before they could ask, and lets them try nothing', async () => {
    const { made, clock, changes, repeat } = breaker()
    using deadline = clock.deadline(1_000)
    await clock.advance(1_000)
    let asked = 0
    const ask = async () => void asked++
    const late = () => made.call(ask, deadline.signal).catch((fault: Fault) => fault.message)
    for (let calls = 0; calls < 5; calls++) expect(await late()).toBeDefined()
    expect(made.entry).toEqual({ state: 'CLOSED', failureCount: 0, successCount: 0 })
    await repeat(5, fail)
    await clock.advance(30_000)
    expect(await late()).toBeDefined()
    expect([made.state, changes, asked]).toEqual(['HALF-OPEN', ['OPEN'], 0])
  })

  it('asks nobody while it is open, and says when to try again', async () => {
    const { made, clock, repeat } = breaker()
    await repeat(5, fail)
    await clock.advance(10_000)
    const refusal = made.call(() => Promise.reject(bug('was called')))
    await expect(refusal).rejects.toMatchObject({ code: circuitOpenCode, retryAfterSeconds: 20 })
  })

  it('lets three calls try after thirty seconds, and closes when all of them go well', async () => {
    const { made, clock, changes, call } = breaker()
    for (let failed = 0; failed < 5; failed++) await call(fail)
    await clock.advance(29_999)
    expect(made.state).toBe('OPEN')
    await clock.advance(1)
    expect(made.state).toBe('HALF-OPEN')
    const held: (() => void)[] = []
    const trial = () => new Promise<void>((resolve) => held.push(resolve))
    const trials = [call(trial), call(trial), call(trial)]
    expect(await call(succeed)).toBe(circuitOpenCode)
    for (const release of held) release()
    await Promise.all(trials)
    expect(changes).toEqual(['OPEN', 'HALF-OPEN', 'CLOSED'])
  })

  it('lets three try, not three at once: those that went well keep their places', async () => {
    const { made, clock, call, repeat } = breaker()
    await repeat(5, fail)
    await clock.advance(30_000)
    await repeat(2, succeed)
    const held = Promise.withResolvers<void>()
    const last = call(() => held.promise)
    expect([await call(succeed), made.state]).toEqual([circuitOpenCode, 'HALF-OPEN'])
    held.resolve()
    await last
    expect(made.state).toBe('CLOSED')
  })

  it.each([
    ['CLOSED', Number.POSITIVE_INFINITY],
    ['HALF-OPEN', 7],
    ['OPEN', 0],
  ] as const)(
    'is tried, while it is %s, with %d parked messages at once where seven calls are to go well',
    (state, most) => {
      expect(allowanceIn(state, { trialCalls: 7 })).toBe(most)
    },
  )

  it('hears nothing from a trial of an earlier time, and keeps no place for it', async () => {
    const { made, clock, call, repeat } = breaker()
    await repeat(5, fail)
    await clock.advance(30_000)
    const earlier = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
    const late = earlier.map(({ promise }) => call(() => promise))
    await call(fail)
    await clock.advance(60_000)
    await repeat(2, succeed)
    for (const { reject } of earlier) reject(unavailable('late'))
    await Promise.all(late)
    expect(made.entry).toEqual({ state: 'HALF-OPEN', failureCount: 0, successCount: 2 })
    await call(succeed)
    expect(made.state).toBe('CLOSED')
  })

  it('takes a trial that outlasts its caller’s time for a failure, though the work itself never ends', async () => {
    const { made, clock, repeat } = breaker()
    await repeat(5, fail)
    await clock.advance(30_000)
    using deadline = clock.deadline(1_000)
    const never = () => new Promise<never>(() => {})
    const trials = Array.from({ length: 3 }, () => made.call(never, deadline.signal).catch(() => {}))
    await clock.advance(1_000)
    await Promise.all(trials)
    expect(made.state).toBe('OPEN')
  })

  it('stays what it is for those whom it tells of changes, however often somebody looks', async () => {
    const { made, clock, changes, call, repeat } = breaker()
    await repeat(5, fail)
    await clock.advance(30_000)
    expect([made.state, made.entry.state]).toEqual(['HALF-OPEN', 'HALF-OPEN'])
    expect(changes).toEqual(['OPEN'])
    await call(fail)
    expect([made.state, changes]).toEqual(['OPEN', ['OPEN', 'HALF-OPEN', 'OPEN']])
  })

  it('opens again for twice as long when a trial fails, up to five minutes', async () => {
    const { made, clock, call, repeat } = breaker()
    await repeat(5, fail)
    for (const openSeconds of [30, 60, 120, 240, 300, 300]) {
      await clock.advance(openSeconds * 1_000 - 1)
      expect(made.state).toBe('OPEN')
      await clock.advance(1)
      expect(made.state).toBe('HALF-OPEN')
      await call(fail)
    }
    expect(made.state).toBe('OPEN')
  })

  it('takes a refusal in a trial for a sign of life', async () => {
    const { made, clock, repeat } = breaker()
    await repeat(5, fail)
    await clock.advance(30_000)
    await repeat(3, refuse)
    expect(made.state).toBe('CLOSED')
  })

  it('closes at once when it is reset, and calls that began before say nothing about it', async () => {
    const { made, call, repeat } = breaker()
    let late: (reason: unknown) => void = () => {}
    const slow = call(() => new Promise((_, reject) => (late = reject)))
    await repeat(5, fail)
    late(unavailable('late'))
    await slow
    made.reset()
    expect(made.entry).toEqual({ state: 'CLOSED', failureCount: 0, successCount: 0 })
  })
})
