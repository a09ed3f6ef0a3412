import type { Fault } from '../../../packages/faults/fault.ts'
import { numberOfAnother } from '../mapping/refusals.ts'
import { noAnswer, wasAsked } from './no-answer.ts'
import { nack, type Stop } from './stop.ts'

/** What will never be taken is refused; everything else waits until the store is well again. */
export function stoppedByStore(fault: Fault): Stop {
  const { kind, code, retryAfterSeconds } = fault
  if (kind === 'incorrect' || kind === 'unprocessable' || kind === 'forbidden' || kind === 'missing') {
    const reason = `${code ?? kind}${placesOf(fault)}`
    const text = `The FHIR store does not take what this message became (${reason}). Ask the operator.`
    return nack('STORE_REJECTED', text, { code: 'AE' })
  }
  if (kind === 'conflict' && code === 'MULTIPLE_MATCHES') {
    const text = 'An identifier of this message belongs to several resources of the FHIR store. Ask the operator.'
    return nack('STORE_REJECTED', text, { code: 'AE' })
  }
  if (kind === 'conflict' && code === numberOfAnother) {
    const text = 'A number of this message is that of something else, which another patient has. Ask the operator.'
    return nack(numberOfAnother, text, { code: 'AE' })
  }
  return {
    status: 'QUEUED',
    errorCode: 'STORE_UNAVAILABLE',
    errorMessage: noAnswer('The FHIR store', fault),
    wasCalled: wasAsked(fault),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1_000 }),
  }
}

/** Which elements are wrong, for the operator: their places alone, because what stands there is patient data. */
function placesOf({ fields }: Fault): string {
  const places = [...new Set(fields.map(({ path }) => path))]
  const more = places.length > 3 ? ` and ${places.length - 3} more` : ''
  return places.length === 0 ? '' : ` at ${places.slice(0, 3).join(', ')}${more}`
}
