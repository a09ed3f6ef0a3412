import type { Account } from '../../packages/service/service.ts'
import { calledAs } from './run/called-as.ts'
import type { RunningCorridor } from './run/run-corridor.ts'
import type { RunningService } from './run/start-service.ts'
import { serviceNames } from './service-names.ts'

interface Ready extends Pick<RunningCorridor, 'configuration' | 'version'> {
  readonly services: readonly Pick<RunningService, 'name' | 'title' | 'url' | 'accounts' | 'tryFirst'>[]
}

interface TableOptions {
  readonly hasColour: boolean
  /** The file of `--config`, which whoever takes the tour in a second terminal has to name as well. */
  readonly file?: string | undefined
}

/** What an operator or newcomer sees when everything is up: where things are, and what to try. */
export function readyTable(running: Ready, options: TableOptions): string {
  const { bold, dim, accent } = options.hasColour ? colours : plain
  const { configuration, services } = running
  const places = [...services.map(({ title, url }) => ({ title, at: url })), ...mllpPlaces(running)]
  const width = Math.max(...places.map(({ title }) => title.length))
  const rows = places.map(({ title, at }) => `  ${title.padEnd(width)}  ${accent(at)}`)
  const data = configuration.database.url === undefined ? `data in ${configuration.dataDir}` : 'data in your PostgreSQL'
  return [
    '',
    `  ${bold(`Corridor ${running.version}`)}  ${dim(`${configuration.mode} mode, ${data}`)}`,
    '',
    ...rows,
    '',
    ...accountRows(
      services.flatMap(({ accounts }) => accounts),
      bold,
    ),
    ...stepRows(running, options, bold, accent),
    `  ${dim('Each opens in a browser, some after a login. API at /docs, health at /actuator/health. Stop with Ctrl-C.')}`,
    '',
    '',
  ].join('\n')
}

/** Where messages go. */
function mllpPlaces({ configuration, services }: Ready): { readonly title: string; readonly at: string }[] {
  if (!services.some(({ name }) => name === 'bridge')) return []
  const { channels, mllpHosts } = configuration.bridge
  const host = mllpHosts[0] ?? '127.0.0.1'
  const open = Object.entries(channels).filter(([, { enabled }]) => enabled)
  const ports = open.map(([id, { port }]) => `${port} ${id.toUpperCase()}`)
  return ports.length === 0 ? [] : [{ title: 'HL7 v2 over MLLP', at: `${host}, ports ${ports.join(', ')}` }]
}

function accountRows(accounts: readonly Account[], bold: Paint): string[] {
  if (accounts.length === 0) return []
  const name = Math.max(...accounts.map((account) => account.name.length))
  const password = Math.max(...accounts.map((account) => account.password.length))
  const rows = accounts.map(
    (account) => `  ${account.name.padEnd(name)}  ${account.password.padEnd(password)}  ${account.is}`,
  )
  return [`  ${bold('Accounts')} (name, password, who it is)`, ...rows, '']
}

/** The tour where it can be taken, and the first step of each service; its front page has the others. */
function stepRows({ configuration, services }: Ready, { file }: TableOptions, bold: Paint, accent: Paint): string[] {
  // They are told with the people and facilities of the demo.
  if (configuration.mode !== 'demo') return []
  const withFile = file === undefined ? '' : ` --config ${quoted(file)}`
  const tour = { title: 'Take the tour, in a second terminal', what: `${calledAs()} tour${withFile}` }
  const steps = services.flatMap(({ url, tryFirst: [first] }) =>
    first === undefined
      ? []
      : [{ title: first.title, what: first.command ?? `open ${new URL(first.href ?? '/', url).href}` }],
  )
  const rows = services.length === serviceNames.length ? [tour, ...steps] : steps
  return [`  ${bold('Try first')}`, ...rows.flatMap(({ title, what }) => [`  ${title}`, `    ${accent(what)}`])]
}

/** As a shell takes it for one word. */
const quoted = (file: string) => (/^[\w./:~-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`)

type Paint = (text: string) => string

const wrap = (code: string) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const colours = { bold: wrap('1'), dim: wrap('2'), accent: wrap('36') }
const plain = { bold: (text: string) => text, dim: (text: string) => text, accent: (text: string) => text }
