import { services } from '../../apps/corridor/services.ts'
import type { ServiceName } from '../../apps/corridor/service-names.ts'
import type { DocsOperation } from '../../packages/http/docs/docs-model.ts'
import { docsModelOf } from '../../packages/http/docs/docs-of-routes.ts'
import type { Route } from '../../packages/http/route.ts'

type RoutesOf = (service: ServiceName) => readonly Route<never>[]

/** Every operation of every service as `docs/api-reference.md` lists them, made from the routes as they are declared. */
export function apiReference(routesOf: RoutesOf): string {
  const shown = services.map((service) => ({
    service,
    routes: routesOf(service.name).filter(({ hidden }) => hidden !== true),
  }))
  const [first, ...others] = shown.map(({ routes }) => new Set(routes.map(nameOf)))
  const ofAll = new Set([...(first ?? [])].filter((name) => others.every((names) => names.has(name))))
  const common = (shown[0]?.routes ?? []).filter((route) => ofAll.has(nameOf(route)))
  const sections = shown.flatMap(({ service: { name, title, purpose }, routes }) => [
    `## ${title}`,
    `${purpose} Its address is \`${name}.url\`.`,
    ...groupsOf(
      title,
      routes.filter((route) => !ofAll.has(nameOf(route))),
    ),
  ])
  return `${[...opening, ...sections, '## Every service', table(operationsOf(common))].join('\n\n')}\n`
}

const opening = [
  '# Every operation',
  '<!-- Made from the routes by npm run docs; do not edit. -->',
  'What every service answers to, who may call it and what it takes. Types, limits and the form of each answer are at ' +
    '`/docs` of the service, for programs at `/docs/openapi.json`; what holds for all, refusals too, is in [api.md](api.md). ' +
    'Paths begin at the root of the host. An asterisk marks what must be given.',
]

const nameOf = ({ method, path }: Route<never>) => `${method} ${path}`

function groupsOf(title: string, routes: readonly Route<never>[]): string[] {
  const { groups } = modelOf(title, routes)
  return groups.flatMap(({ tag, operations }) => [
    ...(groups.length > 1 || tag !== title ? [`### ${title}: ${tag}`] : []),
    table(operations),
  ])
}

const operationsOf = (routes: readonly Route<never>[]) =>
  modelOf('', routes).groups.flatMap((group) => group.operations)

const modelOf = (title: string, routes: readonly Route<never>[]) =>
  docsModelOf(routes, { title, version: '', description: undefined, serverUrl: undefined, openApiPath: '' })

function table(operations: readonly DocsOperation[]): string {
  const rows = operations.map((operation) => [
    `\`${operation.method} ${operation.path}\``,
    operation.summary,
    operation.who,
    takenBy(operation),
    operation.answers.map(({ status }) => status).join(', '),
  ])
  const head = ['Operation', 'What it does', 'Who may call', 'Takes', 'Answers']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|')

/** What stands in the path is seen there. */
function takenBy({ parameters, body }: DocsOperation): string {
  const named = (place: 'query' | 'header') =>
    parameters.filter((one) => one.in === place).map(({ name, required }) => marked(name, required))
  const taken = [
    ['query', named('query')],
    ['header', named('header')],
    ['body', body === undefined ? [] : fieldsOf(body.schema)],
  ] as const
  return taken.flatMap(([place, names]) => (names.length === 0 ? [] : [`${place}: ${names.join(', ')}`])).join('; ')
}

function fieldsOf(schemaText: string): string[] {
  // Sound: it is the text of a JSON Schema.
  const { properties = {}, required = [] } = JSON.parse(schemaText) as { properties?: object; required?: string[] }
  const names = Object.keys(properties).map((name) => marked(name, required.includes(name)))
  return names.length === 0 ? ['as `/docs` says'] : names
}

const marked = (name: string, isRequired: boolean) => `\`${name}\`${isRequired ? '\\*' : ''}`
