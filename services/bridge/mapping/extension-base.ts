/** Where the addresses of the extensions that HL7 defines begin. */
export const extensionBase = 'http://hl7.org/fhir/StructureDefinition'
