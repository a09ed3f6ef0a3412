import type { CodeMap } from '../code-map.ts'

/** What a general resource (AIG-4, which has no HL7 table) is. Whatever is neither a person nor a place is a device. */
export const scheduledResource: CodeMap<'Practitioner' | 'Location'> = {
  table: 'scheduled-resource',
  name: 'Kinds of general resources',
  rows: {
    P: 'Practitioner',
    D: 'Practitioner',
    DR: 'Practitioner',
    DOCTOR: 'Practitioner',
    PHYSICIAN: 'Practitioner',
    PROVIDER: 'Practitioner',
    PRACTITIONER: 'Practitioner',
    NURSE: 'Practitioner',
    STAFF: 'Practitioner',
    PERSONNEL: 'Practitioner',
    ROOM: 'Location',
    LOCATION: 'Location',
    CLINIC: 'Location',
    DEPARTMENT: 'Location',
  },
}
