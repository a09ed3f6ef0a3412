import type { Account } from '../../packages/service/service.ts'
import { calledAs } from './run/called-as.ts'
import type { RunningCorridor } from './run/run-corridor.ts'
import type { RunningService } from './run/start-service.ts'
import { serviceNames } from './service-names.ts'

interface Ready extends Pick<RunningCorridor, 'configuration' | 'version'> {
  readonly services: readonly Pick<RunningService, 'title' | 'url' | 'accounts' | 'tryFirst'>[]
}

/** What an operator or newcomer sees when everything is up: where things are, and what to try. */
export function readyTable(running: Ready, options: { readonly hasColour: boolean }): string {
  const { bold, dim, accent } = options.hasColour ? colours : plain
  const { configuration, services } = running
  const width = Math.max(...services.map(({ title }) => title.length))
  const rows = services.map(({ title, url }) => `  ${title.padEnd(width)}  ${accent(url)}`)
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
    ...stepRows(running, bold, accent),
    `  ${dim('Each opens in a browser, some after a login. API at /docs, health at /actuator/health. Stop with Ctrl-C.')}`,
    '',
    '',
  ].join('\n')
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
function stepRows({ configuration, services }: Ready, bold: Paint, accent: Paint): string[] {
  // They are told with the people and facilities of the demo.
  if (configuration.mode !== 'demo') return []
  const tour = { title: 'Take the tour, in a second terminal', what: `${calledAs()} tour` }
  const steps = services.flatMap(({ url, tryFirst: [first] }) =>
    first === undefined
      ? []
      : [{ title: first.title, what: first.command ?? `open ${new URL(first.href ?? '/', url).href}` }],
  )
  const rows = services.length === serviceNames.length ? [tour, ...steps] : steps
  return [`  ${bold('Try first')}`, ...rows.flatMap(({ title, what }) => [`  ${title}`, `    ${accent(what)}`])]
}

type Paint = (text: string) => string

const wrap = (code: string) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const colours = { bold: wrap('1'), dim: wrap('2'), accent: wrap('36') }
const plain = { bold: (text: string) => text, dim: (text: string) => text, accent: (text: string) => text }
