import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { Life } from '../life.ts'
import { openKeys } from './signing-keys.ts'

interface Wrong {
  readonly what: string
  readonly spoil: (directory: string) => Promise<void>
  readonly mend: (directory: string) => Promise<void>
  readonly says: string
}

const first = 'signing-key-0001.json'
const second = 'signing-key-0002.json'

it.each<Wrong>([
  {
    what: 'a key that is none',
    spoil: (directory) => writeFile(join(directory, second), 'spoiled', { mode: 0o600 }),
    mend: (directory) => rm(join(directory, second)),
    says: 'is not a readable RSA private key',
  },
  {
    what: 'a directory that is empty, as the place of a mount is',
    spoil: (directory) => rename(join(directory, first), join(directory, 'away')),
    mend: (directory) => rename(join(directory, 'away'), join(directory, first)),
    says: 'has no signing key any more; the known keys stay in use until the next start. Mount it again',
  },
])('$what makes the authorization server unwell, is logged once, and it is well again without', async (wrong) => {
  const directory = await mkdtemp(join(tmpdir(), 'corridor-reload-'))
  const clock = new SimulatedClock()
  const life = new Life()
  const captured = capturedLog(clock)
  const { keys, health } = await openKeys(directory, {
    ...{ clock, log: captured.log, life, deletesAt: async () => clock.now() },
  })
  const status = async () => (await health(new AbortController().signal)).status
  const looks = (wanted: string) =>
    waitFor(
      async () => {
        await clock.advance(5_000)
        return (await status()) === wanted
      },
      { everyMs: 5, what: `the health ${wanted}` },
    )
  try {
    expect(await status()).toBe('UP')
    const { kid } = keys.current()
    await wrong.spoil(directory)
    await looks('DOWN')
    expect(await health(new AbortController().signal)).toMatchObject({
      details: { error: expect.stringContaining(wrong.says) as string },
    })
    for (let look = 0; look < 3; look++) await clock.advance(5_000)
    expect(keys.current().kid).toBe(kid)
    await wrong.mend(directory)
    await looks('UP')
    expect(captured.events().filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(captured.events('keys not reloaded')).toHaveLength(1)
    expect(captured.events('keys reloaded again')).toHaveLength(1)
  } finally {
    await life.end({ log: captured.log, clock })
    await rm(directory, { recursive: true })
  }
})
