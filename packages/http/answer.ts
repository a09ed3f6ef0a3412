import type { Static, TSchema } from 'typebox'
import type { Content } from './content.ts'

/** What a route declares that it answers: for each status a schema (JSON) or another kind of content. */
export type Outputs = Readonly<Record<number, TSchema | Content>>

/** An answer whose status is chosen, or which carries headers. A route that needs neither returns just the value. */
export class Reply<Status extends number = number, Body = unknown> {
  readonly status: Status
  readonly body: Body
  readonly headers: ReplyHeaders
  /** Origins beside our own that forms of this page may lead to; see security-headers.ts. */
  readonly formTargets: readonly string[] | undefined

  constructor(status: Status, body: Body, headers: ReplyHeaders = {}, formTargets?: readonly string[]) {
    this.status = status
    this.body = body
    this.headers = headers
    this.formTargets = formTargets
  }
}

export const isReply = (answer: unknown): answer is Reply => answer instanceof Reply

export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>

export function reply<Status extends number, Body>(
  status: Status,
  body: Body,
  headers: ReplyHeaders = {},
): Reply<Status, Body> {
  return new Reply(status, body, headers)
}

interface PageOptions {
  readonly headers?: ReplyHeaders
  /** Origins beside our own that the page's forms may lead to. */
  readonly formTargets?: readonly string[]
}

/** A page of HTML. Declare it as `output: { 200: html }`. */
export function page(markup: string, options?: PageOptions): Reply<200, string>
export function page<const Status extends number>(
  markup: string,
  options: PageOptions & { readonly status: Status },
): Reply<Status, string>
export function page(markup: string, options: PageOptions & { readonly status?: number } = {}): Reply<number, string> {
  return new Reply(options.status ?? 200, markup, options.headers, options.formTargets)
}

/** Sends the browser on. 303 turns a POST into a GET and is what a form wants. Declare it as `{ 303: nothing }`. */
export function redirect<const Status extends 301 | 302 | 303 | 307 | 308>(
  status: Status,
  to: string,
  headers: ReplyHeaders = {},
): Reply<Status, undefined> {
  return new Reply(status, undefined, { ...headers, location: to })
}

/** What `run` may return: the body of the only 2xx answer, or a reply with any of the declared statuses. */
export type Answer<Out extends Outputs> = SuccessBody<Out> | ReplyOf<Out>

type ReplyOf<Out extends Outputs> = {
  [Status in keyof Out & number]: Reply<Status, BodyOf<Out[Status]>>
}[keyof Out & number]

type SuccessStatus = 200 | 201 | 202 | 203 | 204 | 206
type SuccessBody<Out extends Outputs> = BodyOf<Out[keyof Out & SuccessStatus]>

type BodyOf<Output> =
  Output extends Content<infer Body> ? Body : Output extends TSchema ? Accepted<Static<Output>> : never

/** Values of the domain are read-only and may hold an explicit undefined where the schema says optional. */
export type Accepted<Value> = Value extends object
  ? {
      readonly [Key in keyof Value]: object extends Pick<Value, Key>
        ? Accepted<Value[Key]> | undefined
        : Accepted<Value[Key]>
    }
  : Value
