import type { Clock } from '../../../../packages/clock/clock.ts'
import { variableOf } from '../../../../packages/config/schema.ts'
import { conflict, faultOf, incorrect, unavailable } from '../../../../packages/faults/fault.ts'
import { makeLog } from '../../../../packages/log/log.ts'
import type { LoadedConfiguration } from '../../configuration.ts'
import { calledAs } from '../../run/called-as.ts'
import { isInfoOf } from '../../run/is-info-of.ts'
import { runCorridor } from '../../run/run-corridor.ts'
import { serviceNames, type ServiceName } from '../../service-names.ts'
import { makeProgress, type Terminal } from '../../terminal.ts'

interface Reached extends AsyncDisposable {
  /** Whether the tour started it, and so ends it. */
  readonly isOwn: boolean
}

interface ReachDeps {
  readonly terminal: Terminal
  readonly clock: Clock
  /** Ends a start that is under way. */
  readonly stop: AbortSignal
}

/** The Corridor at the configured addresses; one of the tour's own where nothing listens at any of them. */
export async function reachCorridor(loaded: LoadedConfiguration, deps: ReachDeps): Promise<Reached> {
  const found = await Promise.all(serviceNames.map((name) => look(name, loaded, deps.clock)))
  const named = (state: State) => found.filter((one) => one.state === state)
  const list = (state: State) =>
    named(state)
      .map(({ name, url }) => `${url} (${name})`)
      .join(', ')
  if (named('strange').length > 0) {
    const ports = named('strange').map(({ name }) => variableOf(`${name}.port`))
    throw incorrect(
      `Another program answers at ${list('strange')}. Stop it, or give Corridor another port (${ports.join(', ')}). ${sameSettings}`,
    )
  }
  if (named('unwell').length > 0) {
    throw unavailable(`Corridor is there but not well at ${list('unwell')}. ${calledAs()} doctor --demo says more.`)
  }
  if (named('well').length === found.length) return { isOwn: false, async [Symbol.asyncDispose]() {} }
  if (named('well').length > 0) {
    throw unavailable(`Only a part of Corridor runs: nothing listens at ${list('silent')}. Start all of it: npm start`)
  }
  return startOwn(loaded, deps)
}

type State = 'well' | 'unwell' | 'strange' | 'silent'

interface Found {
  readonly name: ServiceName
  readonly url: string
  readonly state: State
}

async function look(name: ServiceName, { configuration }: LoadedConfiguration, clock: Clock): Promise<Found> {
  const { origin } = new URL(configuration[name].url)
  using deadline = clock.deadline(3_000)
  const textOf = async (path: string) =>
    (await fetch(`${origin}/actuator/${path}`, { signal: deadline.signal, redirect: 'manual' })).text()
  try {
    const [info, health] = await Promise.all([textOf('info'), textOf('health')])
    if (!isInfoOf(name, info)) return { name, url: origin, state: 'strange' }
    return { name, url: origin, state: health.includes('"status":"UP"') ? 'well' : 'unwell' }
  } catch {
    // Nothing listens, or what listens does not speak HTTP; a start says which.
    return { name, url: origin, state: 'silent' }
  }
}

/** Somebody who started it with settings of their own and left them out here has a Corridor that the tour does not find. */
const sameSettings = 'Where Corridor runs with other settings already, the tour needs the same ones.'

async function startOwn(loaded: LoadedConfiguration, { terminal, clock, stop }: ReachDeps): Promise<Reached> {
  terminal.out('\n  No Corridor is running yet, so the tour starts one.\n')
  const log = makeLog({ level: loaded.configuration.log.level, sink: { write: terminal.err }, clock })
  const running = await runCorridor(loaded, { log, clock, stop, progress: makeProgress(terminal) }).catch(
    (thrown: unknown) => {
      const { code, shown } = faultOf(thrown)
      throw code === 'DATA_DIR_HELD' ? conflict(`${shown} ${sameSettings}`, { code, cause: thrown }) : thrown
    },
  )
  return { isOwn: true, [Symbol.asyncDispose]: () => running.stop() }
}
