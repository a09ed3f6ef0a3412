/** Everything that comes in has a bound. Past it the server refuses; it never grows. */
export interface HttpLimits {
  /** A larger body is refused with 413. A route may set its own. */
  readonly bodyBytesMax: number
  /** The address and all request headers together; more is refused with 431. */
  readonly headerBytesMax: number
  /** Path and query; more is refused with 414. They are part of the head, so what else is in it must fit as well. */
  readonly urlBytesMax: number
  /** How deep arrays and objects of a JSON body may lie in each other. */
  readonly jsonDepthMax: number
  /** How many fields a form may have. */
  readonly formFieldsMax: number
  /** How long a request's headers may take to arrive. */
  readonly headersTimeoutMs: number
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs: number
  /** How long a connection may idle between requests. */
  readonly keepAliveTimeoutMs: number
  /** How long a caller may take none of an answer that waits for them. */
  readonly answerTimeoutMs: number
  /** Requests of one connection that wait for their answers; a connection with more is closed. */
  readonly unansweredMax: number
  /** Connections held at once, on each address; more are closed at once. */
  readonly connectionsMax: number
}

export const defaultLimits: HttpLimits = {
  bodyBytesMax: 1_048_576,
  headerBytesMax: 16_384,
  urlBytesMax: 16_384,
  jsonDepthMax: 64,
  formFieldsMax: 200,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  answerTimeoutMs: 60_000,
  unansweredMax: 16,
  connectionsMax: 2_000,
}
