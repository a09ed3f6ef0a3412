import type { Identifier } from '../../packages/fhir/r4.ts'

/**
 * Whose a number is. `national`: a country or insurance gives it to a person, or to a mother and her newborn, or to a
 * household. `shared`: of an account, a guarantor, a membership; a family has one. `record`: all others, which are those of
 * hospitals: such a number is one record.
 */
export type NumberKind = 'national' | 'shared' | 'record'

export function numberKind({ type }: Identifier): NumberKind {
  const codes = type?.coding?.flatMap(({ code }) => code ?? []) ?? []
  if (codes.some((code) => nationalTypes.test(code))) return 'national'
  return codes.some((code) => sharedTypes.test(code)) ? 'shared' : 'record'
}

/** HL7 table 0203: national person numbers (NNxxx with the country), social security, health card, jurisdiction. */
const nationalTypes = /^(?:NI|NN[A-Z]{0,3}|SS|HC|JHN|NIIP)$/

/** HL7 table 0203: accounts, bank accounts and cards, guarantors, members, Medicare cards, health plans, subscribers. */
const sharedTypes = /^(?:AN[CDT]?|BA|BC|GI|GN|MB|MC|NH|NII|SN)$/
