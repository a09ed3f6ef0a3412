import { describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { capturedLog } from '../../packages/testkit/captured-log.ts'
import { Life } from './life.ts'

function recorded() {
  const closed: string[] = []
  const close = (what: string) => async () => void closed.push(what)
  return { closed, close, deps: { log: capturedLog().log, clock: systemClock } }
}

describe('the end of a Corridor', () => {
  it('drains the listeners first and then goes backwards', async () => {
    const { closed, close, deps } = recorded()
    const life = new Life()
    life.started('database', close('database'))
    life.listening('auth listener', close('auth listener'))
    life.started('worker', close('worker'))
    life.listening('fhir listener', close('fhir listener'))
    await life.end(deps)
    expect(closed).toEqual(['auth listener', 'fhir listener', 'worker', 'database'])
  })

  it('gives each part what it wants, and no more than is left of the whole', async () => {
    const clock = new SimulatedClock()
    const life = new Life()
    const given: number[] = []
    const takes = (wantedMs: number) => async () => {
      const graceMs = life.graceMs(wantedMs)
      given.push(graceMs)
      await clock.sleep(graceMs)
    }
    life.started('auth', takes(5_000))
    life.started('fhir', takes(5_000))
    life.listening('auth listener', takes(5_500))
    life.listening('fhir listener', takes(5_000))
    expect(life.graceMs(7_000)).toBe(7_000)
    const ended = life.end({ log: capturedLog().log, clock })
    for (let second = 0; second < 10; second++) await clock.advance(1_000)
    await ended
    expect(given).toEqual([5_500, 5_000, 3_500, 0])
  })

  it('ends the rest when one part cannot be closed, and says which', async () => {
    const { closed, close } = recorded()
    const captured = capturedLog()
    const life = new Life()
    life.started('database', close('database'))
    life.started('worker', () => Promise.reject(new Error('stuck')))
    await life.end({ log: captured.log, clock: systemClock })
    expect(closed).toEqual(['database'])
    expect(captured.events('could not be closed')).toMatchObject([{ dependency: 'worker', error: 'stuck' }])
  })

  it('happens once, however often it is asked for', async () => {
    const { closed, close, deps } = recorded()
    const life = new Life()
    life.started('database', close('database'))
    await Promise.all([life.end(deps), life.end(deps)])
    await life.end(deps)
    expect(closed).toEqual(['database'])
  })
})
