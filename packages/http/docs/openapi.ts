import { Type, type TSchema } from 'typebox'
import { jsonType } from '../body.ts'
import { isContent } from '../content.ts'
import { propertiesOf } from '../input.ts'
import type { Route, Shape } from '../route.ts'
import { statusMeaning } from '../status-meaning.ts'
import type { Who } from '../who.ts'

export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string | undefined
  readonly serverUrl: string | undefined
  /** The full name of the cookie by which the guards of this service find who signed in. */
  readonly sessionCookie?: string | undefined
}

/** OpenAPI 3.1 of the routes. Its schemas are JSON Schema, and so are ours: they go in as they are. */
export function openApiOf<Deps>(routes: readonly Route<Deps>[], info: ApiInfo): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = bracedPath(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      ...(info.description === undefined ? {} : { description: info.description }),
    },
    ...(info.serverUrl === undefined ? {} : { servers: [{ url: info.serverUrl }] }),
    paths,
    components: {
      securitySchemes: schemesOf(routes, info),
      schemas: { Problem: problemSchema },
      responses: {
        Problem: {
          description: 'Something is wrong; the body says what.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  }
}

/** `/a/:id/*` is `/a/{id}/{rest}`. */
export function bracedPath(path: string): string {
  return path
    .split('/')
    .map((step) => (step === '*' ? '{rest}' : step.startsWith(':') ? `{${step.slice(1)}}` : step))
    .join('/')
}

/** `post-api-consent-id-revoke`. */
export function operationId(route: Pick<Route, 'method' | 'path'>): string {
  const words = route.path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return [route.method.toLowerCase(), ...words].join('-')
}

type Requirement = Readonly<Record<string, readonly string[]>>

const bearer = { bearer: [] }
const session = { session: [] }

/** What must be sent along: one of these; where it is nothing at all, or may be, that is one of them. */
function securityOf(who: Who): readonly Requirement[] {
  if (who.permits !== undefined) return [bearer]
  if (who.provesClient === true) return [{ basic: [] }, bearer]
  if (who.kind === 'either' || who.kind === 'perhaps') return [{}, bearer]
  if (who.kind !== 'guard') return []
  // A guard that has an answer for strangers, too, says so in its name.
  return who.printed.startsWith('anyone') ? [{}, session] : [session]
}

/** Only those that some route asks for. */
function schemesOf<Deps>(routes: readonly Route<Deps>[], { sessionCookie = 'session' }: ApiInfo): object {
  const asked = new Set(routes.flatMap(({ who }) => securityOf(who).flatMap((one) => Object.keys(one))))
  return {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    ...(asked.has('basic')
      ? { basic: { type: 'http', scheme: 'basic', description: 'A client and its secret.' } }
      : {}),
    ...(asked.has('session')
      ? { session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The login of a browser.' } }
      : {}),
  }
}

function operationOf<Deps>(route: Route<Deps>): object {
  const { who, input, tags, summary, description } = route
  const parameters = [
    ...parametersOf('path', input?.params),
    ...parametersOf('query', input?.query),
    ...parametersOf('header', input?.headers),
  ]
  return {
    operationId: operationId(route),
    summary,
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(input?.body === undefined ? {} : { requestBody: bodyOf(input.body, route.accepts ?? [jsonType]) }),
    responses: responsesOf(route),
    security: securityOf(who),
    'x-who': who.printed,
    ...(who.roles.length === 0 ? {} : { 'x-roles': who.roles }),
    ...(who.scopes.length === 0 ? {} : { 'x-scopes': who.scopes }),
  }
}

function parametersOf(place: 'path' | 'query' | 'header', shape: Shape = {}): object[] {
  return Object.entries(propertiesOf(shape)).map(([name, schema]) => ({
    name: name === '*' ? 'rest' : name,
    in: place,
    required: place === 'path' || !Type.IsOptional(schema),
    schema,
  }))
}

function bodyOf(schema: TSchema, mediaTypes: readonly string[]): object {
  return { required: true, content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }])) }
}

function responsesOf<Deps>(route: Route<Deps>): object {
  const declared = Object.entries(route.output).map(([status, output]) => {
    const description = statusMeaning(Number(status))
    if (!isContent(output)) return [status, { description, content: { [jsonType]: { schema: output } } }]
    const { mediaType } = output
    return [status, { description, ...(mediaType === undefined ? {} : { content: { [bareType(mediaType)]: {} } }) }]
  })
  return { ...Object.fromEntries(declared), default: { $ref: '#/components/responses/Problem' } }
}

const bareType = (mediaType: string) => mediaType.split(';', 1)[0] ?? mediaType

const problemSchema = Type.Object({
  type: Type.String({ format: 'uri-reference' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
  code: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})
