import type { Coding } from '../../../packages/fhir/r4.ts'
import { isPurposeOfHl7 } from '../purposes.ts'

/** A purpose of use as readers of FHIR know it: one of the country's own is none of HL7's, and says no system. */
export const purposeCoding = (code: string): Coding => (isPurposeOfHl7(code) ? { system: actReasons, code } : { code })

const actReasons = 'http://terminology.hl7.org/CodeSystem/v3-ActReason'
