import { fold } from '../../packages/fhir/fold.ts'
import type { Identifier } from '../../packages/fhir/r4.ts'

/**
 * Whose a number is. `record`: a hospital gives it to a patient, and such a number is one record. `national`: a country or
 * insurance gives it to a person, or to a mother and her newborn, or to a household; whoever has another is another. `personal`:
 * all others, which may be a relative's, and people have several, one after the other: of papers, of benefits, of types that
 * senders made up. `shared`: of an account, a guarantor, a membership, a visit; it says of nobody who they are.
 */
export type NumberKind = 'record' | 'national' | 'personal' | 'shared'

export function numberKind({ type }: Identifier): NumberKind {
  const codes = type?.coding?.flatMap(({ code }) => code ?? []) ?? []
  const isAny = (types: RegExp) => codes.some((code) => types.test(code))
  if (isAny(nationalTypes)) return 'national'
  if (isAny(sharedTypes)) return 'shared'
  return codes.length === 0 || isAny(recordTypes) ? 'record' : 'personal'
}

/** What stands in the place of a national number that nobody knows: 0, 999-99-9999, UNKNOWN. A short 11 may be a number. */
export const isNumberOfNobody = (one: Identifier): boolean => numberKind(one) === 'national' && isValueOfNobody(one)

/** The same of a number that is known to be national by where it is from. */
export function isValueOfNobody({ value = '' }: Identifier): boolean {
  const signs = signsOf(value)
  return /^(?:0+|(.)\1{5,})$/u.test(signs) || !/\p{N}/u.test(signs)
}

/** The same number, whether people write it with spaces and hyphens or without. */
export const signsOf = (value: string): string => fold(value).replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** HL7 table 0203: national person numbers (NNxxx with the country), social security, health card, jurisdiction. */
const nationalTypes = /^(?:NI|NN[A-Z]{0,3}|SS|HC|JHN|NIIP)$/

/**
 * HL7 table 0203: accounts, bank accounts and cards, guarantors, members, Medicare cards, health plans, subscribers, employers;
 * visits, cases, claims, certificates of marriage.
 */
const sharedTypes = /^(?:AN[CDT]?|AM|BA|BC|DI|DS|EN|GI|GN|MB|MC|MCT|MS|NE|NH|NII|PHC|PHE|SN|VN|WC|WCN|XV)$/

/** HL7 table 0203: medical records (MRN, as many write it), patients, persons, registries; anonymous and unspecified ones. */
const recordTypes = /^(?:ANON|LR|MR[NT]?|PE|PI|PN|PNT|PT|RRI|SR|U)$/
