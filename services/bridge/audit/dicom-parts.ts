import { base64 } from './base64.ts'
import { xml, type Markup } from './xml.ts'

export interface AuditSource {
  /** Who tells: the bridge, and the site it stands at. */
  readonly sourceId: string
  readonly site: string | undefined
  /** The authority of patient ids: an OID, or a name. */
  readonly patientAuthority: string
}

export function auditSource({ sourceId, site }: AuditSource): Markup {
  const place = site === undefined ? xml`` : xml` AuditEnterpriseSiteID="${site}"`
  return xml`<AuditSourceIdentification${place} AuditSourceID="${sourceId}"><AuditSourceTypeCode csd-code="4"/></AuditSourceIdentification>`
}

export const participantObject = (id: string, type: string, role: string, parts: readonly Markup[]) =>
  xml`<ParticipantObjectIdentification ParticipantObjectID="${id}" ParticipantObjectTypeCode="${type}" ParticipantObjectTypeCodeRole="${role}">${parts}</ParticipantObjectIdentification>`

export const detail = (type: string, value: string) =>
  xml`<ParticipantObjectDetail type="${type}" value="${base64(value)}"/>`

/** The attributes of a coded value. */
export const coded = (value: string, system: string, display: string) =>
  xml`csd-code="${value}" codeSystemName="${system}" originalText="${display}"`

export const transaction = coded('transaction', 'Corridor', 'Transaction')
