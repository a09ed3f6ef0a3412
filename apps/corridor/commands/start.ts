import { systemClock } from '../../../packages/clock/clock.ts'
import { makeLog } from '../../../packages/log/log.ts'
import { buildInfo } from '../build-info/build-info.ts'
import { cautions } from '../cautions.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../load-configuration.ts'
import { choiceFor, namedServices } from '../named-services.ts'
import { readyTable } from '../ready-table.ts'
import { clockBehind } from '../run/clock-behind.ts'
import { runCorridor } from '../run/run-corridor.ts'
import { makeProgress, type Terminal } from '../terminal.ts'

/** Runs until a signal comes; resolves with the exit code. */
export async function start(
  words: readonly string[],
  choice: ConfigurationChoice,
  terminal: Terminal,
  signals: Signals,
): Promise<number> {
  const services = namedServices(words)
  const loaded = corridorConfiguration(choiceFor(services, choice))
  const log = makeLog({ level: loaded.configuration.log.level, sink: { write: terminal.err }, clock: systemClock })
  const stopping = new AbortController()
  const obey = async () => {
    const signal = await signals.first()
    stopping.abort(new Stopped())
    log.info('stopping', { signal })
    terminal.err('Stopping …\n')
  }
  const stopped = obey()
  const options = { log, progress: makeProgress(terminal), stop: stopping.signal }
  const running = await runCorridor(loaded, { ...options, ...(services.length === 0 ? {} : { services }) }).catch(
    unlessStopped,
  )
  if (running === undefined) return 0
  terminal.out(readyTable(running, { hasColour: terminal.hasColour, file: choice.file }))
  const names = running.services.map(({ name }) => name)
  const told = [...clockBehind(systemClock, buildInfo()), ...cautions(loaded, names)]
  for (const { says, advice } of told) terminal.err(`WARNING: ${says} ${advice}\n`)
  terminal.out('Corridor is ready\n')

  await stopped
  await running.stop()
  return 0
}

/** A signal came before all was started. */
class Stopped extends Error {
  constructor() {
    super('stopped by a signal')
  }
}

function unlessStopped(thrown: unknown): undefined {
  if (!(thrown instanceof Stopped)) throw thrown
}

/** The first signal asks for an orderly end; the process itself turns a second one into an immediate one. */
export interface Signals {
  first(): Promise<string>
}
