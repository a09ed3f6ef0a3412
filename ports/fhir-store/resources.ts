/** The resources that the port speaks of. */
export type * from '../../packages/fhir/r4.ts'
