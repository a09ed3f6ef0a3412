import type { SourcePattern } from './source-patterns.ts'

const id = '[A-Za-z0-9.-]{1,64}'

/** The patterns that are put together from texts, as they are when they are used: one or more a file. */
export const builtPatterns: readonly SourcePattern[] = [
  ['packages/fhir-http/fhir-caller.ts', 'Patient/([A-Za-z0-9.-]{1,64})(?:/_history/|$)'],
  ['packages/fhir/reference.ts', `^(https?://.+/)?([A-Z][A-Za-z]{2,})/(${id})(?:/_history/(${id}))?$`],
  ['packages/fhir/string.ts', String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f]`],
  ['ports/fhir-store/http/store-calls.ts', '(?:^|/)Patient/([A-Za-z0-9.-]{1,64})(?:/|$)'],
  ['services/bridge/audit/read-record.ts', String.raw`<EventIdentification\b[^<>]{0,4000}>`],
  ['services/bridge/audit/read-record.ts', String.raw`\sEventDateTime="([^"]{0,2000})"`],
  ['services/bridge/console/transaction/transaction-trace.ts', String.raw`([\~\^\&])`],
  ['services/bridge/persist/send-writes.ts', 'Patient/([^/]+)(?:/_history/([^/]+))?$'],
  [
    'services/fhir/interactions/bundle/place.ts',
    `^(?:_history|([A-Z][A-Za-z]{2,63})(?:/(?:_history|(${id})(?:/(?:_history(?:/(${id}))?|[$]everything|([A-Z][A-Za-z]{2,63}|[*])))?))?)?$`,
  ],
  ['services/immunization/read-model/patient-record.ts', String.raw`(^|/)Patient/a\.1(/_history/|$)`],
  ['services/referral/routes/fields.ts', `^(?:Patient/)?${id}$`],
  ['services/referral/routes/fields.ts', `^(?:Practitioner|PractitionerRole)/${id}$`],
  ['services/referral/routes/fields.ts', String.raw`^(?:[A-Z][A-Za-z]{1,63}/${id}(?:/_history/${id})?|https?://\S+)$`],
].map(([file = '', source = '']) => ({ file, pattern: new RegExp(source) }))
