import { Type, type Static, type TSchema } from 'typebox'
import { day, list, object, oneOf, optional, orNull, text } from '../../../packages/http/fields.ts'
import { scopeContexts } from '../../../packages/smart/scope.ts'
import { purposePattern } from '../purposes.ts'
import { provisionTypes } from './consent-record.ts'

export const noteCharactersMax = 2_048
export const regulatoryBasisCharactersMax = 512

/** As it can be asked for: a purpose that no question can have would confine a record to nothing. */
const purpose = text({ pattern: purposePattern, says: 'must be a code of at most 64 characters' })

const given = <Schema extends TSchema>(schema: Schema) => optional(orNull(schema))

/** Null and absent mean the same. */
const optionalFields = {
  actorReference: given(text({ max: 160, description: 'Device/<id> or Organization/<id>; null means all actors.' })),
  resourceClasses: given(
    list(text({ max: 64 }), {
      max: 150,
      unique: true,
      description: 'Resource types; an empty list means all. Left out: the types that the scopes name.',
    }),
  ),
  scopeValues: given(
    list(text({ max: 1_200 }), { max: 100, description: 'SMART scopes; they give the permitted operations.' }),
  ),
  periodStart: given(day({ description: 'The first day on which it holds.' })),
  periodEnd: given(day({ description: 'The last day on which it holds.' })),
  scopeContext: given(oneOf(scopeContexts, { description: 'Derived when left out.' })),
  regulatoryBasis: given(text({ max: regulatoryBasisCharactersMax, description: 'The legal basis.' })),
  note: given(text({ max: noteCharactersMax, description: 'Free text.' })),
  purposes: given(
    list(purpose, {
      max: 20,
      unique: true,
      description: 'Purposes of use that it is confined to. None: any purpose.',
    }),
  ),
}

const fixed = {
  patientId: given(text({ max: 160, description: 'Patient/<id>; null for user, system or context consents.' })),
  organisationId: given(text({ max: 160, description: "Organization/<id> that owns it; the caller's if left out." })),
}

export const NewConsentBody = Type.Object(
  { ...fixed, provisionType: oneOf(provisionTypes), ...optionalFields },
  {
    // What says nothing of another context is about a patient: one answer names all that is missing.
    if: { anyOf: [{ required: ['scopeContext'] }, { required: ['scopeValues'] }] },
    else: { required: ['patientId'] },
  },
)

const changeable = { provisionType: given(oneOf(provisionTypes)), ...optionalFields }

/** Patient and organisation may be repeated, not changed. */
export const ConsentChangeBody = object({ ...fixed, ...changeable })

// Sound: these are its keys.
export const changeableFields = Object.keys(changeable) as (keyof typeof changeable)[]

export type NewConsent = Static<typeof NewConsentBody>
export type ConsentChange = Static<typeof ConsentChangeBody>
