/** What a history brings with it. Codes: ICD-10 and SNOMED CT for the condition, ATC for the medicine. */
export interface History {
  readonly icd10: string
  readonly snomed: string
  readonly name: string
  /** Years since it began; none for what is over. */
  readonly years: number
  readonly isOver?: true
  readonly medicine?: readonly [atc: string, name: string, dose: string]
  readonly allergy?: readonly [snomed: string, name: string, category: 'medication' | 'food' | 'environment']
  /** Laboratory values at each visit; see laboratory.ts. */
  readonly tests: string
}

export const histories: Readonly<Record<string, History>> = {
  asthma: {
    icd10: 'J45.9',
    snomed: '195967001',
    name: 'Asthma',
    years: 9,
    medicine: ['R03AC02', 'Salbutamol 100 microgram inhaler', '2 puffs when needed'],
    allergy: ['260147004', 'House dust mite', 'environment'],
    tests: 'WBC EOS',
  },
  hypertension: {
    icd10: 'I10',
    snomed: '38341003',
    name: 'Hypertension',
    years: 6,
    medicine: ['C08CA01', 'Amlodipine 5 mg tablet', '1 tablet every morning'],
    tests: 'CREA K',
  },
  diabetes: {
    icd10: 'E11.9',
    snomed: '44054006',
    name: 'Type 2 diabetes mellitus',
    years: 8,
    medicine: ['A10BA02', 'Metformin 500 mg tablet', '1 tablet twice a day with meals'],
    tests: 'HBA1C GLU CREA CHOL',
  },
  copd: {
    icd10: 'J44.9',
    snomed: '13645005',
    name: 'Chronic obstructive pulmonary disease',
    years: 11,
    medicine: ['R03BB04', 'Tiotropium 18 microgram inhalation capsule', '1 capsule once a day'],
    tests: 'WBC CRP',
  },
  anemia: {
    icd10: 'D64.9',
    snomed: '271737000',
    name: 'Anemia',
    years: 1,
    medicine: ['B03AA07', 'Ferrous sulfate 200 mg tablet', '1 tablet once a day'],
    tests: 'HGB FERR',
  },
  tuberculosis: {
    icd10: 'A15.0',
    snomed: '154283005',
    name: 'Pulmonary tuberculosis',
    years: 1,
    medicine: ['J04AM06', 'Rifampicin, isoniazid, pyrazinamide and ethambutol tablet', '3 tablets every morning'],
    tests: 'WBC ALT CRP',
  },
  'heart-failure': {
    icd10: 'I50.9',
    snomed: '84114007',
    name: 'Heart failure',
    years: 3,
    medicine: ['C03CA01', 'Furosemide 40 mg tablet', '1 tablet every morning'],
    allergy: ['764146007', 'Penicillin', 'medication'],
    tests: 'BNP K CREA',
  },
  hiv: {
    icd10: 'B20',
    snomed: '86406008',
    name: 'HIV infection',
    years: 7,
    medicine: ['J05AR27', 'Lamivudine, tenofovir and dolutegravir tablet', '1 tablet once a day'],
    tests: 'HGB ALT CREA',
  },
  malaria: {
    icd10: 'B54',
    snomed: '61462000',
    name: 'Malaria',
    years: 0,
    isOver: true,
    medicine: ['P01BF01', 'Artemether and lumefantrine tablet', 'twice a day for three days'],
    tests: 'HGB PLT CRP',
  },
  pregnancy: {
    icd10: 'Z34.9',
    snomed: '77386006',
    name: 'Pregnancy',
    years: 0,
    medicine: ['B03BB01', 'Folic acid 400 microgram tablet', '1 tablet once a day'],
    tests: 'HGB GLU',
  },
  appendicitis: {
    icd10: 'K35.8',
    snomed: '85189001',
    name: 'Acute appendicitis',
    years: 0,
    allergy: ['91935009', 'Peanut', 'food'],
    tests: 'WBC CRP',
  },
}
