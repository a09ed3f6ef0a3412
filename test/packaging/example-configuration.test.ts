import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cautions } from '../../apps/corridor/cautions.ts'
import { configurationSchema } from '../../apps/corridor/configuration.ts'
import { corridorConfiguration } from '../../apps/corridor/load-configuration.ts'
import { runCorridor } from '../../apps/corridor/run/run-corridor.ts'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { quietProgress } from '../../apps/corridor/terminal.ts'
import { keysOf } from '../../packages/config/schema.ts'
import { silentLog } from '../../packages/log/log.ts'
import { ownPlace } from '../../packages/testkit/corridor-command.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'
import { readText } from './read-file.ts'

it.each(['production', 'operations', 'other-stores'])('every example of %s.md is a configuration', async (page) => {
  await using place = await ownPlace()
  const file = join(place.folder, 'corridor.yaml')
  const examples = [...readText(`docs/${page}.md`).matchAll(/```yaml\n([^`]*)```/g)]
  expect(examples).not.toEqual([])
  for (const [, example = ''] of examples) {
    await writeFile(file, example)
    const { sourceOf } = corridorConfiguration({ file, environment: {}, secretsOf: [] })
    const set = keysOf(configurationSchema).filter(({ path }) => sourceOf(path) !== 'default')
    expect(set).not.toEqual([])
  }
})

it('the corridor.yaml of production.md starts as it is copied, and nothing is warned of', async () => {
  const [, example = ''] = /```yaml\n([^`]*)```/.exec(readText('docs/production.md')) ?? []
  // This machine does not have the address that senders reach.
  await using place = await ownPlace({ 'bridge.mllpHosts': '127.0.0.1' })
  await using database = await testDatabase()
  const file = join(place.folder, 'corridor.yaml')
  await writeFile(file, example.replaceAll(/\/(?:etc|var\/lib)\/corridor(?=\/)/g, place.folder))
  await writeFile(join(place.folder, 'database-url'), `${database.url}\n`)
  await writeFile(join(place.folder, 'certificate-key-secret'), '0123456789abcdef'.repeat(4))

  const asWritten = corridorConfiguration({ file, environment: {} })
  expect(cautions(asWritten)).toEqual([])
  const loaded = corridorConfiguration({ file, environment: place.environment })
  const running = await runCorridor(loaded, { log: silentLog, progress: quietProgress })
  expect(running.services.map(({ name }) => name).toSorted()).toEqual([...serviceNames].toSorted())
  await running.stop()
})
