import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { Life } from '../life.ts'
import { openKeys } from './signing-keys.ts'

it('keys that cannot be taken up make the authorization server unwell, are logged once, and it is well again with them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'corridor-reload-'))
  const clock = new SimulatedClock()
  const life = new Life()
  const captured = capturedLog(clock)
  const { health } = await openKeys(directory, { clock, log: captured.log, life })
  const status = async () => (await health(new AbortController().signal)).status
  const looks = (wanted: string) =>
    waitFor(
      async () => {
        await clock.advance(5_000)
        return (await status()) === wanted
      },
      { what: `the health ${wanted}` },
    )
  try {
    expect(await status()).toBe('UP')
    const spoiled = join(directory, 'signing-key-0002.json')
    await writeFile(spoiled, 'spoiled', { mode: 0o600 })
    await looks('DOWN')
    expect(await health(new AbortController().signal)).toMatchObject({
      details: { error: expect.stringContaining('is not a readable RSA private key') as string },
    })
    await rm(spoiled)
    await looks('UP')
    expect(captured.events('keys not reloaded')).toHaveLength(1)
    expect(captured.events('keys reloaded again')).toHaveLength(1)
  } finally {
    await life.end({ log: captured.log, clock })
    await rm(directory, { recursive: true })
  }
})
