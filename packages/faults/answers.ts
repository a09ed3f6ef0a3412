import type { FaultKind } from './fault.ts'

/**
 * The one table from a kind of fault to what each protocol says. No other file knows a status code or an ACK code.
 *
 * HL7: AR means "do not resend unchanged", AE means "resend later". The error numbers are those of HL7 table 0357.
 * FHIR: issue types of http://hl7.org/fhir/issue-type.
 */
interface Answer {
  readonly httpStatus: number
  readonly title: string
  /** For services whose problems always have a code, where the fault has none of its own. */
  readonly code: string
  readonly oauthError: string
  readonly fhirIssue: string
  readonly ackCode: 'AE' | 'AR'
  readonly hl7Error: '100' | '101' | '102' | '103' | '200' | '201' | '202' | '203' | '204' | '205' | '206' | '207'
}

export const answers: Readonly<Record<FaultKind, Answer>> = {
  incorrect: {
    httpStatus: 400,
    title: 'Bad Request',
    code: 'VALIDATION_FAILED',
    oauthError: 'invalid_request',
    fhirIssue: 'invalid',
    ackCode: 'AR',
    hl7Error: '102',
  },
  unauthenticated: {
    httpStatus: 401,
    title: 'Unauthorized',
    code: 'UNAUTHORIZED',
    oauthError: 'invalid_token',
    fhirIssue: 'login',
    ackCode: 'AR',
    hl7Error: '207',
  },
  forbidden: {
    httpStatus: 403,
    title: 'Forbidden',
    code: 'FORBIDDEN',
    oauthError: 'access_denied',
    fhirIssue: 'forbidden',
    ackCode: 'AR',
    hl7Error: '207',
  },
  missing: {
    httpStatus: 404,
    title: 'Not Found',
    code: 'NOT_FOUND',
    oauthError: 'invalid_request',
    fhirIssue: 'not-found',
    ackCode: 'AR',
    hl7Error: '204',
  },
  conflict: {
    httpStatus: 409,
    title: 'Conflict',
    code: 'CONFLICT',
    oauthError: 'invalid_request',
    fhirIssue: 'conflict',
    ackCode: 'AE',
    hl7Error: '206',
  },
  unprocessable: {
    httpStatus: 422,
    title: 'Unprocessable Content',
    code: 'UNPROCESSABLE',
    oauthError: 'invalid_request',
    fhirIssue: 'processing',
    ackCode: 'AR',
    hl7Error: '207',
  },
  'too-much': {
    httpStatus: 429,
    title: 'Too Many Requests',
    code: 'TOO_MANY_REQUESTS',
    oauthError: 'temporarily_unavailable',
    fhirIssue: 'throttled',
    ackCode: 'AE',
    hl7Error: '207',
  },
  unavailable: {
    httpStatus: 503,
    title: 'Service Unavailable',
    code: 'UNAVAILABLE',
    oauthError: 'temporarily_unavailable',
    fhirIssue: 'transient',
    ackCode: 'AE',
    hl7Error: '207',
  },
  bug: {
    httpStatus: 500,
    title: 'Internal Server Error',
    code: 'INTERNAL_ERROR',
    oauthError: 'server_error',
    fhirIssue: 'exception',
    ackCode: 'AE',
    hl7Error: '207',
  },
}

/** What a code says more exactly than the kind does. */
export interface FinerAnswer {
  readonly kind: FaultKind
  readonly httpStatus: number
  readonly title: string
  /** The kind's own unless said. */
  readonly fhirIssue?: string
}

/**
 * Where a protocol distinguishes more than the nine kinds do, a fault's code picks the finer status of the same kind:
 * a body that is too large is refused as incorrect, and HTTP has its own number for it.
 */
export const httpStatusByCode: Readonly<Record<string, FinerAnswer>> = {
  METHOD_NOT_ALLOWED: {
    kind: 'incorrect',
    httpStatus: 405,
    title: 'Method Not Allowed',
    fhirIssue: 'not-supported',
  },
  NOT_ACCEPTABLE: { kind: 'incorrect', httpStatus: 406, title: 'Not Acceptable', fhirIssue: 'not-supported' },
  REQUEST_TIMEOUT: { kind: 'incorrect', httpStatus: 408, title: 'Request Timeout' },
  NO_OPERATION: { kind: 'missing', httpStatus: 404, title: 'Not Found', fhirIssue: 'not-supported' },
  GONE: { kind: 'missing', httpStatus: 410, title: 'Gone', fhirIssue: 'deleted' },
  PRECONDITION_FAILED: { kind: 'conflict', httpStatus: 412, title: 'Precondition Failed' },
  MULTIPLE_MATCHES: {
    kind: 'conflict',
    httpStatus: 412,
    title: 'Precondition Failed',
    fhirIssue: 'multiple-matches',
  },
  TOO_COSTLY: {
    kind: 'unprocessable',
    httpStatus: 422,
    title: 'Unprocessable Content',
    fhirIssue: 'too-costly',
  },
  BODY_TOO_LARGE: { kind: 'incorrect', httpStatus: 413, title: 'Content Too Large' },
  URI_TOO_LONG: { kind: 'incorrect', httpStatus: 414, title: 'URI Too Long' },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'incorrect',
    httpStatus: 415,
    title: 'Unsupported Media Type',
    fhirIssue: 'not-supported',
  },
  HEADERS_TOO_LARGE: { kind: 'incorrect', httpStatus: 431, title: 'Request Header Fields Too Large' },
  BAD_GATEWAY: { kind: 'unavailable', httpStatus: 502, title: 'Bad Gateway' },
  // The specification of the certificate names this status.
  qr_generation_failed: { kind: 'unavailable', httpStatus: 500, title: 'Internal Server Error' },
  fhir_unavailable: { kind: 'unavailable', httpStatus: 500, title: 'Internal Server Error' },
  authorization_unavailable: { kind: 'unavailable', httpStatus: 500, title: 'Internal Server Error' },
  GATEWAY_TIMEOUT: { kind: 'unavailable', httpStatus: 504, title: 'Gateway Timeout' },
}
