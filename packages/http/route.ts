import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox'
import type { Fault, FaultField } from '../faults/fault.ts'
import type { Answer, Outputs } from './answer.ts'
import type { ErrorStyle } from './error-style.ts'
import type { HttpLimits } from './listen/limits.ts'
import type { IncomingRequest } from './request.ts'
import type { Sound } from './sound.ts'
import type { Who } from './who.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** Properties by name, or an object schema that holds them. */
export type Shape = TObject | TProperties

export interface Input {
  readonly params?: Shape
  readonly query?: Shape
  /** Names in lower case. */
  readonly headers?: Shape
  /** Required unless marked optional. */
  readonly body?: TSchema
}

export interface RouteOptions<In extends Input, Out extends Outputs, Known, Deps> {
  readonly method: Method
  /** `/api/consent/:id/revoke`; a last segment `*` takes the rest. */
  readonly path: string
  /** Required: there is no default. */
  readonly who: Who<Known>
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly input?: In
  readonly output: Out
  /** Media types of the body; JSON unless said otherwise. */
  readonly accepts?: readonly string[]
  /** False for a GET that changes something: a HEAD must not (RFC 9110 section 9.2.1). */
  readonly takesHead?: false
  /** Refuses query parameters that are not declared; otherwise they are ignored. */
  readonly strictQuery?: boolean
  /**
   * The query and the body are a language of their own (FHIR search, FHIR JSON): nothing of them is read or checked
   * here, and `run` takes them from `request.url` and `request.rawBody`.
   */
  readonly readsOwnInput?: boolean
  readonly limits?: Partial<Pick<HttpLimits, 'bodyBytesMax' | 'formFieldsMax'>>
  /** Which web pages of other origins may call. None unless said. */
  readonly cors?: Cors<Deps>
  /** Refuses what a page of another origin sends (see csrf.ts). Default: unsafe methods whose caller a guard finds. */
  readonly sameOrigin?: boolean
  /** Cache-Control of a success; `no-store` unless said. Errors are never stored. */
  readonly cache?: string
  /** How this route says that something is wrong, where it differs from its server. */
  readonly errors?: ErrorStyle
  /** Nobody is led here by a link: errors have the form above for whoever asks, also for a browser. */
  readonly isForPrograms?: boolean
  /**
   * Apps open this page in a window of its own and wait there for its answer: the browser must not part the two. Every
   * step of the way has to say so, redirects too (Cross-Origin-Opener-Policy).
   */
  readonly keepsOpener?: boolean
  /** Left out of OpenAPI and the docs page. */
  readonly hidden?: boolean
  /** Told of every request that ended in a fault, also before `run`: for routes whose every call is audited. */
  readonly onFault?: (failed: FailedRequest, deps: Deps) => void
  /**
   * What `run` finds wrong beyond the schemas, in what of the input is as they say. Asked where they refuse: one answer
   * then names everything, and nobody has to send twice to hear of it.
   */
  readonly alsoWrong?: (sound: SoundInput<In>, deps: Deps) => readonly FaultField[]
  readonly run: (input: RouteInput<In, Known>, deps: Deps) => Answer<Out> | Promise<Answer<Out>>
}

export interface SoundInput<In extends Input> extends Sound {
  readonly query: Partial<ShapeValue<In['query']>>
  readonly body: Partial<BodyValue<In['body']>>
}

export interface FailedRequest {
  readonly fault: Fault
  /** Whoever the token named, also when the route is closed to them; undefined where nobody was found. */
  readonly caller: unknown
  readonly request: IncomingRequest
}

type Cors<Deps> = 'anyone' | ((origin: string, deps: Deps) => boolean | Promise<boolean>)

interface RouteInput<In extends Input, Known> {
  readonly params: ShapeValue<In['params']>
  readonly query: ShapeValue<In['query']>
  readonly headers: ShapeValue<In['headers']>
  readonly body: BodyValue<In['body']>
  readonly caller: Known
  readonly request: IncomingRequest
}

type BodyValue<Given> = Given extends TOptional
  ? Static<Given> | undefined
  : Given extends TSchema
    ? Static<Given>
    : undefined

type ShapeValue<Given> = Given extends TObject
  ? Static<Given>
  : Given extends TProperties
    ? Static<TObject<Given>>
    : object

/** A declared route of a service whose dependencies are `Deps`. */
export interface Route<Deps = unknown> extends Omit<
  RouteOptions<Input, Outputs, unknown, Deps>,
  'run' | 'cors' | 'onFault' | 'alsoWrong'
> {
  // Methods, not properties: a route that asks for less than a service's deps fits into its table.
  run(input: RouteInput<Input, unknown>, deps: Deps): unknown
  onFault?(failed: FailedRequest, deps: Deps): void
  alsoWrong(sound: Sound, deps: Deps): readonly FaultField[]
  allowsOrigin(origin: string, deps: Deps): boolean | Promise<boolean>
  readonly cors: 'none' | 'anyone' | 'some'
}

/** Declares a route. Its `run` unpacks, calls and returns: no SQL, no HTML, no status arithmetic. */
export function route<const In extends Input, const Out extends Outputs, Known, Deps>(
  options: RouteOptions<In, Out, Known, Deps>,
): Route<Deps> {
  const { run, cors, alsoWrong, ...declared } = options
  return {
    ...declared,
    cors: cors === undefined ? 'none' : cors === 'anyone' ? 'anyone' : 'some',
    allowsOrigin: (origin, deps) => (typeof cors === 'function' ? cors(origin, deps) : cors === 'anyone'),
    alsoWrong: (sound, deps) => alsoWrong?.(sound, deps) ?? [],
    // Sound: the server calls run only with input that it has checked against the declared schemas, and with the
    // caller that the declared `who` yields.
    run: (input, deps) => run(input as RouteInput<In, Known>, deps),
  }
}

/** `route` for a service whose routes share one type of dependencies, so that none needs to repeat it. */
export function routeFor<Deps>() {
  return <const In extends Input, const Out extends Outputs, Known>(
    options: RouteOptions<In, Out, Known, Deps>,
  ): Route<Deps> => route(options)
}
