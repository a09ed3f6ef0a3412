import { systemClock } from '../../../packages/clock/clock.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import { makeLog } from '../../../packages/log/log.ts'
import { nearest } from '../../../packages/config/nearest.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../configuration.ts'
import { isLoopback } from '../production-check.ts'
import { readyTable } from '../ready-table.ts'
import { runCorridor, type RunningCorridor } from '../run/run-corridor.ts'
import { serviceNames, type ServiceName } from '../services.ts'
import { makeProgress, type Terminal } from '../terminal.ts'

/** Runs until a signal comes; resolves with the exit code. */
export async function start(
  words: readonly string[],
  choice: ConfigurationChoice,
  terminal: Terminal,
  signals: Signals,
): Promise<number> {
  const services = namesOf(words)
  const loaded = corridorConfiguration(choice)
  const log = makeLog({ level: loaded.configuration.log.level, sink: { write: terminal.err }, clock: systemClock })
  const stop = signals.first()
  const starting = runCorridor(loaded, {
    log,
    progress: makeProgress(terminal),
    ...(services.length === 0 ? {} : { services }),
  })
  const running = await starting
  terminal.out(readyTable(running, { hasColour: terminal.hasColour }))
  for (const warning of openListeners(running)) terminal.err(`${warning}\n`)
  terminal.out('Corridor is ready\n')

  const signal = await stop
  log.info('stopping', { signal })
  terminal.err('Stopping …\n')
  await running.stop()
  return 0
}

/** The first signal asks for an orderly end; the process itself turns a second one into an immediate one. */
export interface Signals {
  first(): Promise<string>
}

function namesOf(words: readonly string[]): ServiceName[] {
  return words.map((word) => {
    const known = serviceNames.find((name) => name === word)
    if (known !== undefined) return known
    const near = nearest(word, serviceNames)
    throw incorrect(
      `${word} is not a service of Corridor. ${near === undefined ? '' : `Did you mean ${near}? `}The services are ${serviceNames.join(', ')}.`,
    )
  })
}

/** Said loudly, because scans find thousands of health systems that nobody meant to publish. */
function openListeners({ configuration, services }: RunningCorridor): string[] {
  const open = configuration.listen.hosts.filter((host) => !isLoopback(host))
  if (open.length === 0) return []
  return services
    .filter(({ name }) => configuration[name].tls.certificateFile === undefined)
    .map(
      ({ name }) =>
        `WARNING: ${name} listens on ${open.join(', ')} without TLS. Put a TLS proxy in front of it, or set ${name}.tls.certificateFile and ${name}.tls.keyFile.`,
    )
}
