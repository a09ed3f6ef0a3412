/** Code, name, unit, reference range, where values lie, and from where on a value is critical. */
export interface LaboratoryTest {
  readonly loinc: string
  readonly name: string
  readonly unit: string
  readonly normal: readonly [low: number, high: number]
  readonly usual: readonly [low: number, high: number]
  readonly digits: number
  readonly critical?: readonly [low: number, high: number]
}

export const laboratoryTests: Readonly<Record<string, LaboratoryTest>> = {
  HGB: test('718-7', 'Hemoglobin [Mass/volume] in Blood', 'g/dL', [12, 16], [8.5, 14.5], 1, [7, 20]),
  WBC: test('6690-2', 'Leukocytes [#/volume] in Blood by Automated count', '10*3/uL', [4, 10], [4, 14], 1),
  PLT: test(
    '777-3',
    'Platelets [#/volume] in Blood by Automated count',
    '10*3/uL',
    [150, 400],
    [95, 380],
    0,
    [50, 900],
  ),
  EOS: test('713-8', 'Eosinophils/100 leukocytes in Blood by Automated count', '%', [1, 4], [2, 9], 1),
  GLU: test('2345-7', 'Glucose [Mass/volume] in Serum or Plasma', 'mg/dL', [70, 100], [80, 210], 0, [50, 400]),
  HBA1C: test('4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood', '%', [4, 5.6], [5.8, 9.4], 1),
  CREA: test('2160-0', 'Creatinine [Mass/volume] in Serum or Plasma', 'mg/dL', [0.6, 1.2], [0.7, 1.6], 2),
  K: test('2823-3', 'Potassium [Moles/volume] in Serum or Plasma', 'mmol/L', [3.5, 5.1], [3.4, 6.3], 1, [2.8, 6.0]),
  CHOL: test('2093-3', 'Cholesterol [Mass/volume] in Serum or Plasma', 'mg/dL', [120, 200], [150, 260], 0),
  ALT: test(
    '1742-6',
    'Alanine aminotransferase [Enzymatic activity/volume] in Serum or Plasma',
    'U/L',
    [7, 45],
    [12, 80],
    0,
  ),
  CRP: test('1988-5', 'C reactive protein [Mass/volume] in Serum or Plasma', 'mg/L', [0, 5], [1, 90], 0),
  FERR: test('2276-4', 'Ferritin [Mass/volume] in Serum or Plasma', 'ng/mL', [15, 150], [5, 60], 0),
  BNP: test('30934-4', 'Natriuretic peptide B [Mass/volume] in Serum or Plasma', 'pg/mL', [0, 100], [150, 900], 0),
}

function test(
  loinc: string,
  name: string,
  unit: string,
  normal: LaboratoryTest['normal'],
  usual: LaboratoryTest['usual'],
  digits: number,
  critical?: LaboratoryTest['critical'],
): LaboratoryTest {
  return { loinc, name, unit, normal, usual, digits, ...(critical === undefined ? {} : { critical }) }
}

/** The code of v3-ObservationInterpretation for a value. */
export function interpretationOf(value: number, { normal, critical }: LaboratoryTest): 'N' | 'L' | 'H' | 'LL' | 'HH' {
  if (critical !== undefined && value < critical[0]) return 'LL'
  if (critical !== undefined && value > critical[1]) return 'HH'
  if (value < normal[0]) return 'L'
  return value > normal[1] ? 'H' : 'N'
}
