import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { testServer } from '../../packages/http/testing/test-server.ts'
import { makeCertificate } from '../../packages/keys/certificate.ts'
import { ownPlace } from '../../packages/testkit/corridor-command.ts'
import { startChild } from '../../packages/testkit/child.ts'
import { memoryFolder } from '../../packages/testkit/memory-folder.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'
import { projectFolder, readText } from './read-file.ts'

const dockerfile = readText('Dockerfile')
const stages = dockerfile.split(/^FROM /m).slice(1)
const last = stages.at(-1) ?? ''

/** The sources of the COPY lines of a stage, without the stages that they come from. */
const copied = (stage: string) =>
  [...stage.matchAll(/^COPY (?:--from=\w+ )?(.*) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' ').map((source) => source.replace(/^\/corridor\//, '')),
  )

describe('the image', () => {
  it('holds what runs and nothing else', () => {
    expect(copied(last)).toEqual([
      'node_modules',
      ...['dist/program', 'dist/apps', 'dist/services', 'dist/ports', 'dist/packages'],
      ...['package.json', 'LICENSE', 'TERMINOLOGY-NOTICES.md'],
      'bin',
    ])
    expect(dockerfile).toContain('npm ci --omit=dev --omit=optional')
  })

  it('runs as somebody without rights, in production mode, and can be asked how it is', () => {
    expect(last).toMatch(/^USER 1000:1000$/m)
    expect(last).toContain('CORRIDOR_MODE=production')
    expect(last).toMatch(/^HEALTHCHECK /m)
    expect(last.indexOf('COPY ')).toBeLessThan(last.indexOf('USER '))
  })

  it.each([
    ['in the clear', false],
    ['by TLS, whoever has signed for the certificate', true],
  ])('is asked how it is %s', async (_how, isTls) => {
    const tls = isTls ? { tls: await makeCertificate({ name: 'auth.example.org' }) } : {}
    await using server = await testServer([], { listen: tls })
    const command = /^HEALTHCHECK .*\n +CMD (.*)$/m.exec(last)?.[1] ?? ''
    // Sound: Docker takes nothing else there.
    const [node, ...words] = JSON.parse(command) as string[]
    const ask = (path: string) => {
      const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${server.port}${path}`
      return promisify(execFile)(process.execPath, words, { env: { HEALTH_URL: url } }).then(
        () => 'healthy',
        ({ code }: { code: number }) => code,
      )
    }
    expect([node, await ask('/actuator/health/liveness'), await ask('/nowhere')]).toEqual(['node', 'healthy', 1])
  })

  it('is built from no file that the build context leaves out', () => {
    const kept = readText('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const fromHere = stages.flatMap((stage) => copied(stage.replace(/^COPY --from.*$/gm, '')))
    expect([...new Set(fromHere)].toSorted()).toEqual(kept.toSorted())
  })

  // It copies eighty megabytes before it starts.
  it('starts in production mode with what it holds, on a database of its own', { timeout: 120_000 }, async () => {
    await using place = await ownPlace()
    await using database = await testDatabase()
    const folder = await mkdtemp(join(await memoryFolder(), 'corridor-image-'))
    try {
      await copyAsTheImageDoes(folder)
      await using corridor = await startChild({
        script: pathToFileURL(join(folder, 'bin/corridor.js')),
        args: ['start'],
        cwd: place.folder,
        env: {
          ...place.environment,
          CORRIDOR_MODE: 'production',
          CORRIDOR_DATABASE_URL: database.url,
          CORRIDOR_AUTH_KEY_DIRECTORY: join(place.folder, 'keys'),
        },
      })
      await corridor.waitForLine(/^Corridor is ready$/)
      for (const name of ['AUTH', 'FHIR', 'CONSENT', 'REFERRAL', 'BRIDGE', 'IMMUNIZATION']) {
        const port = place.environment[`CORRIDOR_${name}_PORT`]
        const answer = await fetch(`http://127.0.0.1:${port}/actuator/health/liveness`)
        expect([name, answer.status]).toEqual([name, 200])
        for (const page of ['/', '/about']) {
          const front = await fetch(`http://127.0.0.1:${port}${page}`, { redirect: 'manual' })
          expect([name, page, await front.text()]).toEqual([name, page, expect.not.stringMatching(ofTheDemo)])
        }
      }
      expect(await corridor.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Accounts, people and places that a production does not have. */
const ofTheDemo = /demo|svc-(admin|bridge)|amina|kofi|central|lakeside/i

/** `npm ci --omit=dev --omit=optional` leaves the packages that the lock file marks as neither. */
async function copyAsTheImageDoes(folder: string): Promise<void> {
  interface Locked {
    readonly dev?: boolean
    readonly optional?: boolean
    readonly devOptional?: boolean
  }
  const lock = JSON.parse(await readFile(join(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const packages = Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path]) => path)
  const files = copied(last).filter((path) => path !== 'node_modules')
  // Packages inside packages come along with those around them.
  const whole = [...files, ...packages].filter((path) => !/node_modules\/.*node_modules\//.test(path))
  // Five thousand files: the system's own copy takes a tenth of the time that Node's does.
  for (const [place, paths = []] of Object.entries(Object.groupBy(whole, dirname))) {
    await mkdir(join(folder, place), { recursive: true })
    await promisify(execFile)('cp', ['-R', ...paths, join(folder, place)], { cwd: projectFolder })
  }
}
