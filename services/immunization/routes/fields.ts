import { Type } from 'typebox'
import { day, flag, integer, list, object, oneOf, orNull } from '../../../packages/http/fields.ts'

const words = orNull(Type.String())

/** The members of the specification, in its order. */
export const VaccinationView = object({
  fhirId: words,
  vaccineCode: words,
  vaccineName: words,
  vaccineSystem: words,
  occurrenceDate: orNull(day()),
  lotNumber: words,
  performerOrganisationRef: words,
  performerDisplay: words,
  doseNumber: words,
  seriesName: words,
  status: Type.String(),
  route: words,
  site: words,
  note: words,
  patientReported: flag(),
  occurrencePrecision: orNull(oneOf(['day', 'month', 'year'], { description: 'How exactly the day is known.' })),
})

export const RecommendationView = object({
  fhirId: words,
  vaccineCode: words,
  vaccineName: words,
  vaccineSystem: words,
  forecastStatus: words,
  dateCriterionDue: orNull(day()),
  dateCriterionLatest: orNull(day()),
  doseNumber: words,
  seriesName: words,
  seriesDosesRequired: words,
  supportingImmunizationRefs: list(Type.String()),
  description: words,
  calculated: flag({ description: 'Calculated by this app, because the record has no forecast.' }),
})

export const SummaryView = object({
  totalVaccinations: integer(),
  totalRecommendations: integer(),
  overdueCount: integer(),
  dueSoonCount: integer({ description: 'Due within 30 days; may overlap overdue.' }),
  patientName: words,
  patientDob: orNull(day()),
})

export const SessionInfo = object({
  patientId: Type.String(),
  clinicianName: words,
  needPatientBanner: flag(),
  scope: Type.String(),
  secondsRemaining: integer(),
  patientKey: Type.String({ description: 'Tells the patient from those of other FHIR servers with the same id.' }),
})

export const QrView = object({
  qrBase64: Type.String({ description: 'A PNG image in standard Base64.' }),
  format: Type.Literal('PNG'),
})
