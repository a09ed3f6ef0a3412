import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { waitFor } from './wait-for.ts'

describe('waiting for a condition', () => {
  it('answers with what the condition gave as soon as it holds', async () => {
    let asked = 0
    const answer = await waitFor(() => (++asked === 3 ? 'ready' : undefined), { what: 'the third question' })
    expect(answer).toBe('ready')
    expect(asked).toBe(3)
  })

  it.each([
    ['zero', 0],
    ['an empty text', ''],
  ])('takes %s for an answer', async (_, value) => {
    expect(await waitFor(() => value, { what: 'a value' })).toBe(value)
  })

  it('takes a condition that throws for one that does not hold yet', async () => {
    let asked = 0
    const answer = waitFor(
      async () => {
        if (++asked < 3) throw new Error('not yet')
        return true
      },
      { what: 'no error' },
    )
    expect(await answer).toBe(true)
  })

  it('says what it waited for, how long and how often, when the deadline passes', async () => {
    const clock = new SimulatedClock()
    const failure = failureOf(waitFor(() => false, { what: 'the moon', deadlineMs: 100, everyMs: 30, clock }))
    await clock.advance(100)
    expect(await failure).toBe('Waited 100 ms for the moon, and it did not come true in 4 attempts')
    expect(clock.waiting).toBe(0)
  })

  it('names the last error of a condition that kept throwing', async () => {
    const clock = new SimulatedClock()
    const refuse = () => Promise.reject(new Error('connection refused'))
    const failure = failureOf(waitFor(refuse, { what: 'the port', deadlineMs: 10, everyMs: 10, clock }))
    await clock.advance(10)
    expect(await failure).toBe(
      'Waited 10 ms for the port, and it did not come true in 1 attempt; the last one threw: connection refused',
    )
  })

  it('gives up on a condition that never answers', async () => {
    const clock = new SimulatedClock()
    const failure = failureOf(waitFor(() => new Promise<boolean>(() => {}), { what: 'an echo', clock }))
    await clock.advance(20_000)
    expect(await failure).toBe('Waited 20000 ms for an echo, and it did not come true in 1 attempt')
  })
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : 'no error'),
  )
