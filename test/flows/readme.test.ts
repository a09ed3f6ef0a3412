import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configurationSchema } from '../../apps/corridor/configuration.ts'
import { keysOf } from '../../packages/config/schema.ts'
import { ownPlace, runCommand, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import type { Child } from '../../packages/testkit/child.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The lines of the shell blocks that a reader would type. */
const typed = [...readme.matchAll(/```sh\n([^`]*)```/g)]
  .flatMap(([, block = '']) => block.split('\n'))
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'))

const curls = typed.filter((line) => line.startsWith('curl '))
const commands = typed.filter((line) => line.startsWith('npm run --silent corridor -- '))

/** The defaults are what the README shows; a test must not need them to be free. */
function moved(address: string, place: OwnPlace): string {
  const ports = keysOf(configurationSchema).filter(({ path }) => path.endsWith('.port'))
  return ports.reduce((text, { variable, key }) => {
    return text.replace(`localhost:${key.defaultText}`, `localhost:${place.environment[variable]}`)
  }, address)
}

describe('what the README tells a newcomer to type', () => {
  let place: OwnPlace
  let corridor: Child
  beforeAll(async () => {
    place = await ownPlace()
    corridor = await startCommand(['start', '--demo'], place)
    await corridor.waitForLine(/^Corridor is ready$/)
  })
  afterAll(async () => {
    await corridor.kill('SIGTERM')
    await place[Symbol.asyncDispose]()
  })

  it.each(curls)('%s works', async (line) => {
    const address = moved(line.slice('curl '.length), place)
    expect(address).not.toBe(line.slice('curl '.length))
    const answer = await fetch(address)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toBeTypeOf('object')
  })

  it.each(commands)('%s works', async (line) => {
    const words = line.slice('npm run --silent corridor -- '.length).split(' ')
    expect((await runCommand(words, place)).code).toBe(0)
  })

  it('is all of it: nothing but the two set-up commands is left out', () => {
    const rest = typed.filter((line) => !curls.includes(line) && !commands.includes(line))
    expect(rest.map((line) => line.replace(/\s+#.*/, ''))).toEqual(['npm ci && npm start', 'npm ci && npm test'])
    expect(curls.length).toBeGreaterThan(2)
  })
})
