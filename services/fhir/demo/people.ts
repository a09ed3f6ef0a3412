import type { HumanName, Patient } from '../../../packages/fhir/r4.ts'
import { facilityNames, recordNumberSystem, type DemoFacility } from './facilities.ts'
import { identifier, reference, systems } from './parts.ts'
import { doctorOf, practitionerName } from './practitioners.ts'

export interface DemoPerson {
  readonly id: string
  readonly names: readonly HumanName[]
  readonly gender: 'female' | 'male'
  readonly birthDate: string
  readonly facility: DemoFacility
  /** What is wrong with them; see histories.ts. */
  readonly history: readonly string[]
}

type Row = readonly [
  id: string,
  given: string,
  family: string,
  gender: 'female' | 'male',
  birthDate: string,
  facility: 'C' | 'L',
  history: string,
  /** Given and family name in the person's own script. */
  own?: readonly [given: string, family: string],
]

const rows: readonly Row[] = [
  ['amina-diallo', 'Amina', 'Diallo', 'female', '1998-04-12', 'C', 'asthma'],
  ['kofi-mensah', 'Kofi', 'Mensah', 'male', '1975-11-03', 'C', 'hypertension'],
  ['fatima-alzahra', 'Fatima', 'Al-Zahra', 'female', '1962-02-27', 'C', 'diabetes hypertension', ['فاطمة', 'الزهراء']],
  ['yusuf-haddad', 'Yusuf', 'Haddad', 'male', '2015-08-19', 'L', 'asthma', ['يوسف', 'حداد']],
  ['noa-levi', 'Noa', 'Levi', 'female', '1990-12-05', 'L', '', ['נועה', 'לוי']],
  ['wang-xiaoming', 'Xiaoming', 'Wang', 'male', '1988-06-30', 'C', 'hypertension', ['小明', '王']],
  ['ivan-petrov', 'Ivan', 'Petrov', 'male', '1955-01-17', 'C', 'copd hypertension', ['Иван', 'Петров']],
  ['priya-sharma', 'Priya', 'Sharma', 'female', '1994-09-09', 'L', 'anemia', ['प्रिया', 'शर्मा']],
  ['abebe-bekele', 'Abebe', 'Bekele', 'male', '1969-07-21', 'L', 'tuberculosis', ['አበበ', 'በቀለ']],
  [
    'eleni-papadopoulou',
    'Eleni',
    'Papadopoulou',
    'female',
    '1948-03-25',
    'C',
    'heart-failure',
    ['Ελένη', 'Παπαδοπούλου'],
  ],
  ['jose-garcia-lopez', 'José', 'García López', 'male', '1981-05-14', 'L', 'diabetes'],
  ['jurgen-muller', 'Jürgen', 'Müller', 'male', '1959-10-31', 'C', 'diabetes hypertension'],
  ['linh-nguyen', 'Linh', 'Nguyễn', 'female', '2001-11-11', 'L', ''],
  ['thandiwe-dlamini', 'Thandiwe', 'Dlamini', 'female', '1986-08-08', 'C', 'hiv'],
  ['mamadou-sow', 'Mamadou', 'Sow', 'male', '2023-05-02', 'L', 'malaria'],
  ['aissatou-ndiaye', 'Aïssatou', 'Ndiaye', 'female', '2024-09-15', 'L', ''],
  ['grace-otieno', 'Grace', 'Otieno', 'female', '1979-04-04', 'C', 'malaria anemia'],
  ['ngozi-eze', 'Ngozi', 'Eze', 'female', '1996-02-14', 'C', 'pregnancy'],
  ['siobhan-obrien', 'Siobhán', "O'Brien", 'female', '1971-01-28', 'L', 'asthma hypertension'],
  ['emeka-okoro', 'Emeka', 'Okoro', 'male', '1992-12-24', 'C', 'appendicitis'],
]

export const demoPeople: readonly DemoPerson[] = rows.map(
  ([id, given, family, gender, birthDate, facility, history, own]) => ({
    id,
    names: namesOf(given, family, own),
    gender,
    birthDate,
    facility: facility === 'C' ? 'central-hospital' : 'lakeside-clinic',
    history: history === '' ? [] : history.split(' '),
  }),
)

/** In their own script first, and as it is written on a passport. */
function namesOf(given: string, family: string, own: Row[7]): HumanName[] {
  const latin: HumanName = { use: 'official', text: `${given} ${family}`, family, given: [given] }
  if (own === undefined) return [latin]
  const [ownGiven, ownFamily] = own
  return [
    { use: 'official', text: `${ownGiven} ${ownFamily}`, family: ownFamily, given: [ownGiven] },
    { ...latin, use: 'usual' },
  ]
}

export function demoPatient(person: DemoPerson, number: number): Patient {
  const { id, names, gender, birthDate, facility } = person
  const digits = String(number + 1).padStart(4, '0')
  const doctor = doctorOf[facility]
  return {
    resourceType: 'Patient',
    id,
    identifier: [
      identifier('MR', recordNumberSystem(facility), `MRN${digits}`),
      identifier('NI', systems.nationalId, `${birthDate.replaceAll('-', '')}${digits}`),
    ],
    active: true,
    name: [...names],
    telecom: [{ system: 'phone', value: `+221 77 555 ${digits.slice(0, 2)} ${digits.slice(2)}`, use: 'mobile' }],
    gender,
    birthDate,
    address: [
      {
        use: 'home',
        line: [`${10 + number} Avenue Cheikh Anta Diop`],
        city: 'Dakar',
        postalCode: String(10_200 + number),
        country: 'SN',
      },
    ],
    generalPractitioner: [reference(`Practitioner/${doctor}`, practitionerName(doctor))],
    managingOrganization: reference(`Organization/${facility}`, facilityNames[facility]),
  }
}
