import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lookUpBuild, type BuildEnvironment } from './look-up.ts'

const now = new Date('2026-03-04T05:06:07.089Z')
const commit = 'a'.repeat(40)

async function folder(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'corridor-build-'))
  onTestFinished(() => rm(place, { recursive: true }))
  return place
}

it.each<[string, BuildEnvironment, object]>([
  ['is only a time', {}, { time: '2026-03-04T05:06:07.089Z' }],
  ['takes the time that it is given', { SOURCE_DATE_EPOCH: '86400' }, { time: '1970-01-02T00:00:00.000Z' }],
  ['heeds no time that is none', { SOURCE_DATE_EPOCH: 'now' }, { time: now.toISOString() }],
  [
    'takes the commit that it is given',
    { SOURCE_COMMIT: commit },
    { time: now.toISOString(), git: { commit: { id: commit } } },
  ],
  ['heeds no commit that is none', { SOURCE_COMMIT: 'main; rm -rf' }, { time: now.toISOString() }],
])('a build of sources without history %s', async (_what, environment, told) => {
  expect(await lookUpBuild(await folder(), now, environment)).toEqual(told)
})

it('a build of a checkout tells its commit, when that was made, and whether anything was changed since', async () => {
  const root = await folder()
  const git = (...command: string[]) =>
    spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...command], { cwd: root, encoding: 'utf8' })
  git('init', '--quiet')
  expect(await lookUpBuild(root, now, {})).toEqual({ time: now.toISOString() })
  await writeFile(join(root, 'file'), 'one')
  git('add', 'file')
  git('commit', '--quiet', '--message', 'one')
  const { status, stdout } = git('rev-parse', 'HEAD')
  const made = { id: stdout?.trim(), time: expect.stringMatching(/Z$/) }
  // On a machine without git a checkout is built as sources without history are.
  const told = (dirty: boolean) => (status === 0 ? { commit: made, dirty } : undefined)
  expect((await lookUpBuild(root, now, {})).git).toEqual(told(false))
  await writeFile(join(root, 'file'), 'two')
  expect((await lookUpBuild(root, now, {})).git).toEqual(told(true))
  await mkdir(join(root, 'unpacked'))
  expect(await lookUpBuild(join(root, 'unpacked'), now, {})).toEqual({ time: now.toISOString() })
})
