/**
 * Types that describe the world around patients and never one of them. A list and not "whatever is in no compartment":
 * Binary, Bundle, MessageHeader and others are in none either and may hold anybody's record.
 */
const sharedTypes: ReadonlySet<string> = new Set([
  // who and where: what references in a patient's record lead to
  'Endpoint',
  'HealthcareService',
  'InsurancePlan',
  'Location',
  'Organization',
  'OrganizationAffiliation',
  'Practitioner',
  'PractitionerRole',
  // substances and products
  'DeviceDefinition',
  'Medication',
  'MedicationKnowledge',
  'Substance',
  // terminology, forms and definitions
  'ActivityDefinition',
  'CapabilityStatement',
  'CodeSystem',
  'CompartmentDefinition',
  'ConceptMap',
  'Library',
  'Measure',
  'NamingSystem',
  'ObservationDefinition',
  'OperationDefinition',
  'PlanDefinition',
  'Questionnaire',
  'SearchParameter',
  'SpecimenDefinition',
  'StructureDefinition',
  'ValueSet',
])

export const isSharedType = (type: string): boolean => sharedTypes.has(type)
