import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import {
  conflict,
  forbidden,
  incorrect,
  missing,
  tooMuch,
  unavailable,
  unprocessable,
  type Fault,
} from '../../../packages/faults/fault.ts'
import type { FhirRequest } from '../../../packages/fhir-http/fhir-caller.ts'
import type { OutboundResponse } from '../../../packages/http/outbound/outbound-response.ts'
import { askedToWait } from '../../../packages/http/outbound/retry-after.ts'
import { findsSeveral } from './finds-several.ts'

/**
 * What the status of a FHIR server means to us; undefined for a success. The server's own words are not shown: they may
 * quote what was sent.
 */
export function faultOfStatus(
  response: Pick<OutboundResponse, 'status' | 'headers' | 'json'>,
  request: FhirRequest = {},
  clock: Pick<Clock, 'now'> = systemClock,
): Fault | undefined {
  const { status, headers } = response
  if (status >= 200 && status <= 299) return undefined
  const logged = `status ${status}`
  switch (status) {
    case 400:
      return incorrect('The FHIR server did not understand the request.', { logged })
    case 403:
      return forbidden('The FHIR server does not let you do this.', { logged })
    case 404:
    case 410:
      return missing('The FHIR server has no such resource.', { logged })
    case 409:
      return conflict('The resource was changed by somebody else at the same moment.', { logged })
    case 412:
      return findsSeveral(response, request)
        ? conflict('More than one resource of the FHIR server matches the criteria.', {
            code: 'MULTIPLE_MATCHES',
            logged,
          })
        : conflict('The resource is no longer at this version.', { code: 'PRECONDITION_FAILED', logged })
    // The same would be answered the next time: whoever waits for it waits for ever, and keeps others back.
    case 405:
    case 415:
    case 501:
      return unprocessable('The FHIR server does not offer this interaction.', { logged })
    case 413:
      return unprocessable('The FHIR server does not take as much at once.', { code: 'TOO_LARGE', logged })
    case 422:
      return unprocessable('The FHIR server does not take this resource.', { logged })
    case 429:
      return tooMuch('The FHIR server is asked too much at the moment.', { logged, ...askedToWait(headers, clock) })
    default:
      return unavailable('The FHIR server gave an answer that cannot be used.', {
        code: 'BAD_GATEWAY',
        logged,
        ...askedToWait(headers, clock),
      })
  }
}
