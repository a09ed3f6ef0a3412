import type { ConsentRecord } from '../record/consent-record.ts'

/** The page that a record is listed on. */
export const placeOf = ({ patientId, organisationId }: Pick<ConsentRecord, 'patientId' | 'organisationId'>): string =>
  patientId === null
    ? `/admin/records${organisationId === null ? '' : `?organisation=${encodeURIComponent(organisationId)}`}`
    : `/patients/${patientId.replace(/^Patient\//, '')}`
