import { execFileSync } from 'node:child_process'
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
/** What asks for the token of the lines below it, and what cuts it out of the answer. */
const [tokenLine, askForToken = '', cutOut = ''] =
  /^TOKEN=\$\((curl -s .*) \| (sed .*)\)$/m.exec(typed.join('\n')) ?? []
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
  let token = ''
  beforeAll(async () => {
    place = await ownPlace()
    corridor = await startCommand(['start', '--demo'], place)
    await corridor.waitForLine(/^Corridor is ready$/)
    const { address, init } = curlAsFetch(moved(askForToken.replace(' -s ', ' '), place), '')
    const input = await (await fetch(address, init)).text()
    token = execFileSync('sh', ['-c', cutOut], { input, encoding: 'utf8' }).trim()
  })
  afterAll(async () => {
    await corridor.kill('SIGTERM')
    await place[Symbol.asyncDispose]()
  })

  it.each(curls)('%s works', async (line) => {
    const { address, init } = curlAsFetch(moved(line, place), token)
    expect(address).toContain(':')
    const answer = await fetch(address, init)
    expect([answer.status, await answer.json()]).toEqual([200, expect.anything()])
  })

  it.each(commands)('%s works', async (line) => {
    const words = line.slice('npm run --silent corridor -- '.length).split(' ')
    expect((await runCommand(words, place)).code).toBe(0)
  })

  it('is all of it: nothing but the two set-up commands is left out', () => {
    const rest = typed.filter((line) => ![...curls, ...commands, tokenLine].includes(line))
    expect(rest.map((line) => line.replace(/\s+#.*/, ''))).toEqual(['npm ci && npm start', 'npm ci && npm test'])
    expect(curls.length).toBeGreaterThan(2)
  })
})

/** The few options of curl that the README uses, so that no test needs curl. */
function curlAsFetch(line: string, token: string): { address: string; init: RequestInit } {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1)
  const headers: Record<string, string> = {}
  let [address, method, body] = ['', 'GET', undefined as string | undefined]
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!word.startsWith('-')) {
      address = word
      continue
    }
    const value = words[++index] ?? ''
    if (word === '-u') headers['authorization'] = `Basic ${Buffer.from(value).toString('base64')}`
    else if (word === '-X') method = value
    else if (word === '-H')
      headers[value.slice(0, value.indexOf(':'))] = value.slice(value.indexOf(':') + 2).replace('$TOKEN', token)
    else if (word === '-d')
      [method, body, headers['content-type']] = ['POST', value, 'application/x-www-form-urlencoded']
    else throw new Error(`the README uses ${word}, which this test does not know`)
  }
  return { address, init: { method, headers, ...(body === undefined ? {} : { body }) } }
}
