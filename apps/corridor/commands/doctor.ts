import { systemClock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { buildInfo } from '../build-info/build-info.ts'
import { cautions } from '../cautions.ts'
import type { LoadedConfiguration } from '../configuration.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../load-configuration.ts'
import { checkAddresses } from '../doctor/addresses.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkDisk } from '../doctor/disk.ts'
import { bad, good, warning, type Finding } from '../doctor/finding.ts'
import { checkKeys } from '../doctor/keys.ts'
import { checkNode } from '../doctor/node.ts'
import { checkPorts } from '../doctor/ports.ts'
import { sectionFaults } from '../doctor/sections.ts'
import { choiceFor, namedServices } from '../named-services.ts'
import { checkMode } from '../production-check.ts'
import { calledAs } from '../run/called-as.ts'
import { clockBehind } from '../run/clock-behind.ts'
import { serviceNames, type ServiceName } from '../service-names.ts'
import type { Terminal } from '../terminal.ts'

/** Looks at everything that a start needs, changes nothing, and says what to do. */
export async function doctor(
  words: readonly string[],
  choice: ConfigurationChoice & { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const findings = await findAll(namedServices(words), choice)
  if (choice.json === true) terminal.out(`${JSON.stringify(findings, undefined, 2)}\n`)
  else terminal.out(print(findings, terminal.hasColour))
  return findings.some(({ state }) => state === 'bad') ? 1 : 0
}

/** @param named the services that are to run on this machine; all where none is named */
async function findAll(named: readonly ServiceName[], choice: ConfigurationChoice): Promise<Finding[]> {
  const running = named.length === 0 ? serviceNames : named
  const node = checkNode(process.versions.node)
  let loaded: LoadedConfiguration
  try {
    loaded = corridorConfiguration(choiceFor(named, choice))
    checkMode(loaded, running)
  } catch (thrown) {
    return [node, invalid(faultOf(thrown).shown)]
  }
  const { configuration } = loaded
  const refused = (await sectionFaults(configuration, running)).map(invalid)
  return [
    node,
    ...(refused.length > 0 ? refused : [good('Configuration', `valid, ${configuration.mode} mode`)]),
    ...cautions(loaded, running).map(({ says, advice }) => warning('Caution', says, advice)),
    ...clockBehind(systemClock, buildInfo()).map(({ says, advice }) => warning('Clock', says, advice)),
    ...(await checkDisk(configuration)),
    ...(await checkDatabase(configuration, { clock: systemClock, running })),
    ...(await checkKeys(configuration, { clock: systemClock, running })),
    ...(await checkAddresses(configuration, running)),
    ...(await checkPorts(configuration, { clock: systemClock, running })),
  ]
}

const invalid = (says: string): Finding =>
  bad('Configuration', says, `Mend the lines above; ${calledAs()} config --reference lists every key.`)

const marks = { good: '✓', warning: '!', bad: '✗' } as const
const colours = { good: '32', warning: '33', bad: '31' } as const

function print(findings: readonly Finding[], hasColour: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, says, advice }) => {
    const mark = hasColour ? `\u001b[${colours[state]}m${marks[state]}\u001b[0m` : marks[state]
    const under = `\n  ${''.padEnd(width)}  `
    const line = `${mark} ${check.padEnd(width)}  ${says.replaceAll(/\n */g, under)}`
    return advice === undefined ? [line] : [`${line}${under}→ ${advice}`]
  })
  return `${lines.join('\n')}\n\n${verdict(findings)}\n`
}

function verdict(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  if (count('bad') > 0) return `${count('bad')} of ${findings.length} checks failed. Mend these first.`
  return count('warning') > 0 ? 'Corridor will start; look at the warnings.' : 'Everything is well.'
}
