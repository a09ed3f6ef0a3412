import { Type } from 'typebox'
import { day, instant, list, object, oneOf, orNull, text } from '../../../packages/http/fields.ts'
import type { ReplyHeaders } from '../../../packages/http/answer.ts'
import { versionTag } from '../../../packages/http/version-tag.ts'
import { scopeContexts } from '../../../packages/smart/scope.ts'
import { provisionTypes, type ConsentRecord } from '../record/consent-record.ts'

/** What leaves the service of a record: never its version, FHIR id or organisation. */
export const ConsentView = object({
  id: Type.Integer(),
  patientId: orNull(text()),
  actorReference: orNull(text()),
  provisionType: oneOf(provisionTypes),
  resourceClasses: list(text()),
  scopeValues: list(text()),
  permittedOperations: text({ description: 'Letters of cruds.' }),
  periodStart: orNull(day()),
  periodEnd: orNull(day()),
  scopeContext: oneOf(scopeContexts),
  purposes: list(text()),
  regulatoryBasis: orNull(text()),
  note: orNull(text()),
  status: oneOf(['active', 'inactive']),
  createdAt: instant(),
  updatedAt: instant(),
  revokedAt: orNull(instant()),
})

export function viewOf(record: ConsentRecord) {
  const { version: _version, fhirConsentId: _fhirId, organisationId: _organisation, ...rest } = record
  return {
    ...rest,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    revokedAt: record.revokedAt?.toISOString() ?? null,
  }
}

/** The version as an entity tag, and where the record is found as a FHIR Consent. */
export function headersOf(record: ConsentRecord, fhirUrl: string): ReplyHeaders {
  return {
    etag: versionTag(record.version),
    link: `<${fhirUrl}/Consent/${record.fhirConsentId}>; rel="alternate"; type="application/fhir+json"`,
  }
}
