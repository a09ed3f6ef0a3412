import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../apps/corridor/run/project-root.ts'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { variableOf } from '../config/schema.ts'
import { startChild, type Child } from './child.ts'
import { freePort, freePortRange } from './free-port.ts'
import { memoryFolder } from './memory-folder.ts'

const launcher = new URL('bin/corridor.js', projectRoot())

/** The environment of a Corridor that gets in nobody's way: a folder and ports of its own. */
export interface OwnPlace extends AsyncDisposable {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

export async function ownPlace(settings: Readonly<Record<string, string>> = {}): Promise<OwnPlace> {
  const folder = await mkdtemp(join(await memoryFolder(), 'corridor-own-'))
  const ports = await Promise.all(serviceNames.map(async (name) => [`${name}.port`, String(await freePort())] as const))
  const values = {
    dataDir: join(folder, 'data'),
    'bridge.mllpPort': String(await freePortRange(8)),
    'bridge.audit.receiverPort': '0',
    ...Object.fromEntries(ports),
    ...settings,
  }
  return {
    folder,
    environment: Object.fromEntries(Object.entries(values).map(([path, value]) => [variableOf(path), value])),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Runs `corridor …` as a user does, from the built files. */
export function startCommand(
  words: readonly string[],
  place: OwnPlace,
  more: Readonly<Record<string, string>> = {},
): Promise<Child> {
  return startChild({ script: launcher, args: words, env: { ...place.environment, ...more }, cwd: place.folder })
}

/** Runs `corridor …` to its end. */
export async function runCommand(
  words: readonly string[],
  place: OwnPlace,
  more: Readonly<Record<string, string>> = {},
) {
  await using child = await startCommand(words, place, more)
  const { code } = await child.ended
  return { code, out: child.lines.join('\n'), err: child.errorLines.join('\n') }
}
