import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diskSpace } from './disk-space.ts'

const told = (dataDir: string, diskFreeBytesMin: number) =>
  diskSpace({ dataDir, diskFreeBytesMin })(new AbortController().signal)

it.each([
  [0, 'UP'],
  [Number.MAX_SAFE_INTEGER, 'DOWN'],
])('a disk that is to have %i bytes free is %s, and says how much it has', async (threshold, status) => {
  const { total, free, ...others } = (await told(tmpdir(), threshold)).details ?? {}
  expect(await told(tmpdir(), threshold)).toMatchObject({ status })
  expect(others).toEqual({ exists: true, threshold })
  expect(total).toBeGreaterThan(0)
  expect(free).toBeGreaterThanOrEqual(0)
})

it('a directory that is not there fills no disk', async () => {
  expect(await told(join(tmpdir(), 'corridor-is-not-here'), Number.MAX_SAFE_INTEGER)).toEqual({
    status: 'UP',
    details: { exists: false },
  })
})
