import type { ErrorRenderer } from '../../../packages/http/error-style.ts'
import { outcomeOf } from '../interactions/invalid-resource.ts'

/** Every error is an OperationOutcome. */
export const fhirErrors: ErrorRenderer = (fault) => ({
  mediaType: 'application/fhir+json; charset=utf-8',
  body: JSON.stringify(outcomeOf(fault)),
})
