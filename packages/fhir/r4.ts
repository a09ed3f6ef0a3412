/**
 * The R4 types, from one place: `@types/fhir` names no file for `fhir/r4`, which Node's resolution of modules wants.
 */
export type * from 'fhir/r4.js'
