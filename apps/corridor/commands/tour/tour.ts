import type { Readable } from 'node:stream'
import { systemClock, type Clock } from '../../../../packages/clock/clock.ts'
import { systemRandom, type Random } from '../../../../packages/clock/ids.ts'
import { incorrect } from '../../../../packages/faults/fault.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../../load-configuration.ts'
import type { Terminal } from '../../terminal.ts'
import type { Signals } from '../start.ts'
import { reachCorridor } from './reach-corridor.ts'
import { walk } from './walk.ts'

interface TourOptions extends ConfigurationChoice {
  /** Without pauses. */
  readonly yes?: boolean
  /** Opens the pages in a browser, too. */
  readonly open?: boolean
}

export interface TourDeps {
  readonly terminal: Terminal
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly signals: Signals
  readonly clock?: Clock
  readonly random?: Random
}

/** `corridor tour`: a guided walk through a running demo. 130 when the visitor leaves before its end. */
export async function tour(options: TourOptions, deps: TourDeps): Promise<number> {
  const { terminal, input, signals, clock = systemClock, random = systemRandom } = deps
  const loaded = corridorConfiguration({ ...options, demo: true })
  if (loaded.configuration.mode !== 'demo') {
    throw incorrect(
      'The tour makes patients up, so it is for demo mode only. Leave out the configuration that says production.',
    )
  }
  const leaving = new AbortController()
  const left = signals.first().then(() => leaving.abort(new Left()))
  const stop = leaving.signal
  const isWaiting = options.yes !== true && input.isTTY === true
  await using corridor = await reachCorridor(loaded, { terminal, clock, stop }).catch(unlessLeft)
  if (corridor === undefined) {
    terminal.out('\n\n  You have left the tour before it began.\n')
    return leftEarly
  }
  try {
    await walk(
      { ...loaded, isOpening: options.open === true },
      { terminal, input: isWaiting ? input : undefined, stop, clock, random },
    )
  } catch (thrown) {
    unlessLeft(thrown)
    terminal.out('\n\n  You have left the tour. What it made stays in the demo.\n')
    return leftEarly
  }
  if (!corridor.isOwn) return 0
  if (isWaiting) {
    terminal.out('\n  Corridor runs on until you press Ctrl-C, so that you can open the pages.\n')
    await left
    terminal.err('Stopping …\n')
  } else terminal.out('\n  The Corridor of the tour ends here; its data stay. Start it again: npm start\n')
  return 0
}

/** What a shell has for a program that Ctrl-C ended. */
const leftEarly = 130

function unlessLeft(thrown: unknown): undefined {
  if (!(thrown instanceof Left)) throw thrown
}

/** The visitor pressed Ctrl-C. */
class Left extends Error {
  constructor() {
    super('the visitor has left')
  }
}
