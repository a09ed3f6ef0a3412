import { expect, it } from 'vitest'
import { startChild } from './child.ts'
import { isRunning } from './process-state.ts'
import { waitFor } from './wait-for.ts'

const script = new URL('fixtures/talking-program.ts', import.meta.url)

it('runs a TypeScript program and gives its lines', async () => {
  await using child = await startChild({ script, args: ['leave'], env: { GREETING: 'hello' } })
  expect(await child.waitForLine(/says/)).toBe(`pid ${child.pid} says hello`)
  expect(await child.ended).toEqual({ code: 3, signal: null })
  expect(child.errorLines).toEqual(['a complaint'])
})

it('kills the program together with what it started, and keeps no cut line', async () => {
  await using child = await startChild({ script })
  const grandchild = Number((await child.waitForLine(/^grandchild/)).split(' ')[1])
  expect(isRunning(grandchild)).toBe(true)
  expect(await child.kill()).toEqual({ code: null, signal: 'SIGKILL' })
  await waitFor(() => !isRunning(grandchild), { what: `process ${grandchild} to be gone` })
  expect(child.lines).toEqual([`pid ${child.pid} says nothing`, `grandchild ${grandchild}`])
})

it('says a line to a program, and nothing to one that has ended', async () => {
  await using child = await startChild({ script, args: ['listen'] })
  child.say('good morning')
  expect(await child.waitForLine(/^good/)).toBe('good morning')
  await child.kill()
  child.say('good night')
  expect(child.lines).not.toContain('good night')
})

it('can ask a program to end by itself', async () => {
  await using child = await startChild({ script })
  await child.waitForLine(/^grandchild/)
  expect((await child.kill('SIGTERM')).signal ?? 'none').toMatch(/none|SIGTERM/)
})

it('says that a program ended before the line came, and what it wrote', async () => {
  await using child = await startChild({ script, args: ['leave'] })
  await expect(child.waitForLine(/never/)).rejects.toThrow(
    /The program ended without a line that matches \/never\/\. Its last lines:\npid \d+ says nothing\na complaint/,
  )
})

it('says that the line did not come in time', async () => {
  await using child = await startChild({ script })
  await child.waitForLine(/^grandchild/)
  await expect(child.waitForLine(/never/, { deadlineMs: 20 })).rejects.toThrow(
    'The program wrote no line that matches /never/ in 20 ms.',
  )
})
