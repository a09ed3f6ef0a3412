import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { makeLog, type LogFields } from './log.ts'

function capture(level: 'debug' | 'info' | 'warn' = 'info') {
  const lines: string[] = []
  const log = makeLog({ level, sink: { write: (line) => lines.push(line) }, clock: new SimulatedClock() })
  return { log, lines }
}

describe('a log event', () => {
  it('is one JSON line with its name, its time and the fields that are allowed', () => {
    const { log, lines } = capture()
    log.with({ service: 'consent' }).info('request finished', { status: 200, durationMs: 3 })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: '2026-01-01T00:00:00.000Z',
      service: 'consent',
      status: 200,
      durationMs: 3,
      event: 'request finished',
    })
  })

  it('drops a field that is not on the list, and an object under one that is', () => {
    const { log, lines } = capture()
    // Cast on purpose: this is what careless code would do.
    log.info('leak', { patientName: 'Amina', error: { name: 'Amina' }, count: 1 } as unknown as LogFields)
    expect(lines.join('')).not.toContain('Amina')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ count: 1 })
  })

  it('stays one line and loses terminal escapes, whatever the text', () => {
    const { log, lines } = capture()
    log.error('failed', { error: 'first\r\n{"level":"info","event":"forged"}\u001b[31m\u2028red' })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toMatch(/[\n\r\u001b\u2028]/)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'first {"level":"info","event":"forged"} [31m red' })
  })

  it('cuts an endless text', () => {
    const { log, lines } = capture()
    log.error('failed', { error: 'x'.repeat(100_000) })
    expect(lines[0]?.length).toBeLessThan(2_200)
  })

  it('is silent below its level', () => {
    const { log, lines } = capture('warn')
    log.info('quiet')
    log.debug('quieter')
    expect(lines).toEqual([])
  })
})
