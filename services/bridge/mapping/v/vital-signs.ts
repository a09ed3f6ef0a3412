import type { CodeMap } from '../code-map.ts'

/** The LOINC codes of FHIR's vital signs, and those beneath them that monitors send. */
export const vitalSign: CodeMap<string> = {
  table: 'vital-signs',
  name: 'Vital signs',
  rows: {
    '85353-1': 'Vital signs panel',
    '9279-1': 'Respiratory rate',
    '8867-4': 'Heart rate',
    '2708-6': 'Oxygen saturation in arterial blood',
    '59408-5': 'Oxygen saturation in arterial blood by pulse oximetry',
    '8310-5': 'Body temperature',
    '8302-2': 'Body height',
    '9843-4': 'Head occipital-frontal circumference',
    '8287-5': 'Head circumference by tape measure',
    '29463-7': 'Body weight',
    '3141-9': 'Body weight measured',
    '39156-5': 'Body mass index',
    '85354-9': 'Blood pressure panel',
    '8480-6': 'Systolic blood pressure',
    '8462-4': 'Diastolic blood pressure',
    '8478-0': 'Mean blood pressure',
  },
}
