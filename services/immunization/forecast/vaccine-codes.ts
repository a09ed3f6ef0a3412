/** What a vaccine protects against, as far as the schedule tells them apart. */
export type Antigen =
  | 'bcg'
  | 'hepatitis-b'
  | 'opv'
  | 'ipv'
  | 'fractional-ipv'
  | 'dtp'
  | 'td'
  | 'hib'
  | 'pneumococcal'
  | 'rotavirus'
  | 'rotavirus-monovalent'
  | 'measles'
  | 'rubella'
  | 'mumps'
  | 'varicella'
  | 'hpv'
  | 'yellow-fever'
  | 'meningococcal-a'
  | 'typhoid'
  | 'influenza'
  | 'live-influenza'
  | 'covid-19'
  | 'other'
  /** A live vaccine by injection that is part of no series. */
  | 'other-live'

export const cvxSystem = 'http://hl7.org/fhir/sid/cvx'
export const atcSystem = 'http://www.whocc.no/atc'
export const icd11System = 'http://id.who.int/icd/release/11/mms'

export interface KnownVaccine {
  readonly name: string
  readonly antigens: readonly Antigen[]
}

/** Undefined for a code that the table does not hold. A code without a system is read as CVX, what most records mean. */
export function knownVaccine(system: string | null, code: string | null): KnownVaccine | undefined {
  if (code === null) return undefined
  const known = vaccineSystem(system)
  if (known === atcSystem) return atc.get(code.toUpperCase())
  if (known === icd11System) return icd11.get(code.toUpperCase())
  return known === cvxSystem ? cvx.get(code.padStart(2, '0')) : undefined
}

/** A vaccine as a record names it: by the code that is shown, and by those that stand beside it. */
export interface CodedVaccine {
  readonly vaccineCode: string | null
  readonly vaccineSystem: string | null
  readonly alsoCoded?: readonly VaccineCoding[]
}

export interface VaccineCoding {
  readonly system: string
  readonly code: string
}

/** By the code that is shown, else by the first beside it that the table holds: many put a code of their own first. */
export function knownVaccineOf({ vaccineSystem: system, vaccineCode, alsoCoded = [] }: CodedVaccine) {
  const beside = alsoCoded.map((coding) => knownVaccine(coding.system, coding.code))
  return knownVaccine(system, vaccineCode) ?? beside.find((known) => known !== undefined)
}

/** What people read: of a dose that a record names by its code alone, what the table calls it, if it holds it. */
export function vaccineInWords(vaccine: CodedVaccine & { readonly vaccineName: string | null }): string | null {
  const { vaccineName, vaccineCode } = vaccine
  const isNamed = vaccineName !== null && vaccineName !== vaccineCode
  return isNamed ? vaccineName : (knownVaccineOf(vaccine)?.name ?? vaccineCode)
}

/** One name for a system that has several, or was not said. */
export const vaccineSystem = (system: string | null): string => (system === null ? cvxSystem : systemNamed(system))

/** The same for one that was said: what CDA and HL7 v2 know by an OID. */
export const systemNamed = (system: string): string => otherNames.get(system.replace(/^urn:oid:/i, '')) ?? system

/** Every CVX code of the table with its name, for a page that works without a network. */
export const cvxNamesByCode = (): Readonly<Record<string, string>> =>
  Object.fromEntries([...cvx].map(([code, { name }]) => [code, name]))

const otherNames: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.113883.12.292', cvxSystem],
  ['2.16.840.1.113883.6.59', cvxSystem],
  ['2.16.840.1.113883.6.73', atcSystem],
  ['2.16.840.1.113883.6.347', icd11System],
  ['http://id.who.int/icd11/mms', icd11System],
])

const penta = 'dtp hepatitis-b hib'
const hexa = 'dtp hepatitis-b hib ipv'

/** CVX, the codes of the CDC: those of vaccines in routine use around the world. */
const cvx = table([
  ['BCG', 'bcg', '19'],
  ['Hepatitis B', 'hepatitis-b', '08 42 43 44 45 189 220'],
  ['Hepatitis A and B', 'hepatitis-b other', '104 193'],
  ['Oral polio vaccine', 'opv', '02 178 179 182'],
  ['Inactivated polio vaccine', 'ipv', '10'],
  ['Inactivated polio vaccine, fractional dose', 'fractional-ipv', '324'],
  ['Polio, not told which', 'other', '89'],
  ['DTP', 'dtp', '01 20 106 107'],
  ['DTP-Hib', 'dtp hib', '22 50'],
  ['DTP-HepB-Hib (pentavalent)', penta, '102 198'],
  ['DTP-HepB-IPV', 'dtp hepatitis-b ipv', '110'],
  ['DTP-Hib-IPV', 'dtp hib ipv', '120 170'],
  ['DTP-IPV', 'dtp ipv', '130'],
  ['Tetanus, diphtheria and polio (DT-IPV)', 'td ipv', '195'],
  ['DTP-HepB-Hib-IPV (hexavalent)', hexa, '132 146'],
  ['Tetanus and diphtheria', 'td', '09 28 113 138 139 196'],
  ['Tetanus alone', 'other', '35 112 142'],
  ['Pertussis alone', 'other', '11'],
  ['Tetanus, diphtheria and pertussis booster', 'td dtp', '115'],
  ['Haemophilus influenzae type b', 'hib', '17 46 47 48 49'],
  ['Hib-HepB', 'hib hepatitis-b', '51'],
  ['Hib and meningococcal C and Y', 'hib other', '148'],
  ['Pneumococcal conjugate', 'pneumococcal', '100 133 152 177 215 216 327'],
  ['Pneumococcal, not told which', 'other', '109'],
  ['Pneumococcal polysaccharide', 'other', '33'],
  ['Rotavirus, monovalent', 'rotavirus rotavirus-monovalent', '119'],
  ['Rotavirus', 'rotavirus', '74 116 122'],
  ['Measles', 'measles', '05'],
  ['Measles and rubella', 'measles rubella', '04'],
  ['Measles, mumps and rubella', 'measles mumps rubella', '03'],
  ['Measles, mumps, rubella and varicella', 'measles mumps rubella varicella', '94'],
  ['Rubella', 'rubella', '06'],
  ['Rubella and mumps', 'rubella mumps', '38'],
  ['Mumps', 'mumps', '07'],
  ['Varicella', 'varicella', '21'],
  ['Zoster, live', 'other-live', '121'],
  ['Zoster, recombinant', 'other', '187'],
  ['Zoster, not told which', 'other', '188'],
  ['Dengue', 'other-live', '56'],
  ['Chikungunya, live', 'other-live', '317'],
  ['Ebola, live', 'other-live', '204'],
  ['Human papillomavirus', 'hpv', '62 118 137 165'],
  ['Yellow fever', 'yellow-fever', '37 183 184'],
  ['Meningococcal, group A or ACWY', 'meningococcal-a', '108 114 136 147 203'],
  ['Meningococcal, groups ABCWY', 'meningococcal-a other', '316 328'],
  ['Meningococcal, not told which', 'other', '167'],
  ['Meningococcal polysaccharide, not conjugated', 'other', '32 191 192'],
  ['Typhoid conjugate', 'typhoid', '190'],
  ['Typhoid, oral', 'other', '25'],
  ['Typhoid Vi polysaccharide', 'other', '101'],
  ['Typhoid, killed', 'other', '41 53'],
  ['Typhoid, not told which', 'other', '91'],
  [
    'Influenza',
    'influenza',
    '15 16 88 135 140 141 144 150 153 155 158 161 166 168 171 185 186 194 197 200 201 202 205 231 320 331',
  ],
  ['Influenza, live', 'influenza live-influenza', '111 149 151 333'],
  [
    'COVID-19',
    'covid-19',
    '207 208 210 211 212 213 217 218 219 221 225 226 227 228 229 230 300 301 302 308 309 310 311 312 313',
  ],
  ['COVID-19', 'covid-19', '500 501 502 503 504 505 506 507 508 509 510 511 512 513 514 515 516 517 518 519 520 521'],
  ['Japanese encephalitis', 'other', '39 129 134'],
  ['Rabies', 'other', '18 40 90 175 176'],
  ['Cholera', 'other', '26 172 173 174'],
  ['Hepatitis A', 'other', '31 52 83 84 85'],
  ['Hepatitis A, live', 'other-live', '169'],
  ['Malaria', 'other', '67'],
  ['Meningococcal, other groups', 'other', '103 162 163 164'],
])

/** ATC, the codes of the WHO Collaborating Centre for Drug Statistics; five characters are the group of a vaccine. */
const atc = table([
  ['BCG', 'bcg', 'J07AN J07AN01'],
  ['Hepatitis B', 'hepatitis-b', 'J07BC01'],
  ['Hepatitis A and B', 'hepatitis-b other', 'J07BC20'],
  ['Hepatitis A', 'other', 'J07BC02 J07BC03'],
  ['Hepatitis, not told which', 'other', 'J07BC'],
  ['Oral polio vaccine', 'opv', 'J07BF01 J07BF02 J07BF04'],
  ['Inactivated polio vaccine', 'ipv', 'J07BF03'],
  ['Polio, not told which', 'other', 'J07BF'],
  ['DTP', 'dtp', 'J07AJ51 J07AJ52'],
  ['DTP-Hib', 'dtp hib', 'J07AG52'],
  ['DTP-IPV', 'dtp ipv', 'J07CA02'],
  ['DTP-HepB', 'dtp hepatitis-b', 'J07CA05'],
  ['DTP-HepB-IPV', 'dtp hepatitis-b ipv', 'J07CA12'],
  ['DTP-Hib-IPV', 'dtp hib ipv', 'J07CA06'],
  ['DTP-HepB-Hib-IPV (hexavalent)', hexa, 'J07CA09'],
  ['DTP-HepB-Hib (pentavalent)', penta, 'J07CA11'],
  ['DTP-HepB-Hib and meningococcal A and C', `${penta} other`, 'J07CA13'],
  ['Bacteria and viruses, not told which', 'other', 'J07CA'],
  ['Tetanus and diphtheria', 'td', 'J07AM51'],
  ['Tetanus, diphtheria and polio (DT-IPV)', 'td ipv', 'J07CA01'],
  ['Tetanus, diphtheria and rubella', 'td rubella', 'J07CA03'],
  ['Tetanus, diphtheria and hepatitis B', 'td hepatitis-b', 'J07CA07'],
  ['Tetanus alone', 'other', 'J07AM01 J07AM52'],
  ['Tetanus, not told which', 'other', 'J07AM'],
  ['Diphtheria, not told which', 'other', 'J07AF'],
  ['Diphtheria alone', 'other', 'J07AF01'],
  ['Pertussis, not told which', 'other', 'J07AJ'],
  ['Pertussis alone', 'other', 'J07AJ01 J07AJ02'],
  // Of which toxoids nobody said.
  ['Haemophilus influenzae type b', 'hib', 'J07AG J07AG01 J07AG51'],
  ['Hib-IPV', 'hib ipv', 'J07CA04'],
  ['Hib-HepB', 'hib hepatitis-b', 'J07CA08'],
  ['Hib and meningococcal C', 'hib other', 'J07AG53'],
  ['Hib and meningococcal C and Y', 'hib other', 'J07AG54'],
  // The second carries its antigens on a protein of other Haemophilus, and protects against no type b.
  ['Pneumococcal conjugate', 'pneumococcal', 'J07AL02 J07AL52'],
  ['Pneumococcal, not told which', 'other', 'J07AL'],
  ['Pneumococcal polysaccharide', 'other', 'J07AL01'],
  ['Rotavirus, monovalent', 'rotavirus rotavirus-monovalent', 'J07BH01'],
  ['Rotavirus', 'rotavirus', 'J07BH J07BH02'],
  ['Measles', 'measles', 'J07BD J07BD01'],
  ['Measles and mumps', 'measles mumps', 'J07BD51'],
  ['Measles and rubella', 'measles rubella', 'J07BD53'],
  ['Measles, mumps and rubella', 'measles mumps rubella', 'J07BD52'],
  ['Measles, mumps, rubella and varicella', 'measles mumps rubella varicella', 'J07BD54'],
  ['Rubella', 'rubella', 'J07BJ J07BJ01'],
  ['Rubella and mumps', 'rubella mumps', 'J07BJ51'],
  ['Mumps', 'mumps', 'J07BE J07BE01'],
  ['Varicella', 'varicella', 'J07BK01'],
  ['Varicella or zoster, not told which', 'other', 'J07BK'],
  ['Zoster, live', 'other-live', 'J07BK02'],
  ['Zoster, recombinant', 'other', 'J07BK03'],
  ['Dengue', 'other-live', 'J07BX04'],
  ['Japanese encephalitis, live', 'other-live', 'J07BA03'],
  ['Human papillomavirus', 'hpv', 'J07BM J07BM01 J07BM02 J07BM03'],
  ['Yellow fever', 'yellow-fever', 'J07BL J07BL01'],
  ['Meningococcal, group A or ACWY', 'meningococcal-a', 'J07AH08 J07AH10'],
  ['Meningococcal, groups ABCWY', 'meningococcal-a other', 'J07AH11'],
  ['Meningococcal polysaccharide, not conjugated', 'other', 'J07AH01 J07AH02 J07AH03 J07AH04 J07AH05'],
  ['Meningococcal, other groups', 'other', 'J07AH06 J07AH07 J07AH09'],
  ['Meningococcal, not told which', 'other', 'J07AH'],
  ['Typhoid and hepatitis A', 'other', 'J07CA10'],
  ['Typhoid and paratyphoid', 'other', 'J07AP10'],
  ['Typhoid, oral', 'other', 'J07AP01'],
  ['Typhoid, killed', 'other', 'J07AP02'],
  ['Typhoid Vi polysaccharide', 'other', 'J07AP03'],
  ['Typhoid, not told which', 'other', 'J07AP'],
  ['Influenza', 'influenza', 'J07BB J07BB01 J07BB02 J07BB04 J07BB05'],
  ['Influenza, live', 'influenza live-influenza', 'J07BB03'],
  ['COVID-19', 'covid-19', 'J07BN J07BN01 J07BN02 J07BN03 J07BN04 J07BN05 J07BX03'],
  ['Rabies', 'other', 'J07BG J07BG01'],
  ['Cholera', 'other', 'J07AE J07AE01 J07AE02 J07AE51'],
  ['Japanese encephalitis', 'other', 'J07BA02'],
  ['Malaria', 'other', 'J07XA01'],
])

/** ICD-11 extension codes, as WHO's own guidelines for immunization use them. */
const icd11 = table([
  ['BCG', 'bcg', 'XM8142 XM4639'],
  ['Hepatitis B', 'hepatitis-b', 'XM9V38'],
  ['Hepatitis A and B', 'hepatitis-b other', 'XM03Y7'],
  ['Hepatitis A', 'other', 'XM2A12'],
  ['Hepatitis, not told which', 'other', 'XM6LL6'],
  ['Oral polio vaccine', 'opv', 'XM79H3 XM0KZ1 XM0VX8'],
  ['Inactivated polio vaccine', 'ipv', 'XM5V19'],
  ['Polio, not told which', 'other', 'XM0N50'],
  ['DTP', 'dtp', 'XM31Q8 XM43M9 XM2TK2 XM4082 XM46V1'],
  ['DTP-IPV', 'dtp ipv', 'XM09Q7 XM9JP8'],
  ['DTP-HepB', 'dtp hepatitis-b', 'XM41N3'],
  ['DTP-HepB-IPV', 'dtp hepatitis-b ipv', 'XM0LT9'],
  ['DTP-Hib-IPV', 'dtp hib ipv', 'XM1LX9 XM21E6'],
  ['DTP-HepB-Hib-IPV (hexavalent)', hexa, 'XM84S1'],
  ['DTP-HepB-Hib (pentavalent)', penta, 'XM7JP3'],
  ['DTP-HepB-Hib and meningococcal A and C', `${penta} other`, 'XM5XP9'],
  ['Tetanus and diphtheria', 'td', 'XM1G86 XM32Q5 XM4039'],
  ['Tetanus, diphtheria and polio (DT-IPV)', 'td ipv', 'XM8AW1'],
  ['Tetanus, diphtheria and rubella', 'td rubella', 'XM9744'],
  ['Tetanus, diphtheria and hepatitis B', 'td hepatitis-b', 'XM3G68'],
  ['Tetanus alone', 'other', 'XM29H5 XM9AK2'],
  ['Tetanus, not told which', 'other', 'XM5L44'],
  ['Pertussis alone', 'other', 'XM45L8 XM62J1'],
  ['Haemophilus influenzae type b', 'hib', 'XM11V3'],
  ['Hib-IPV', 'hib ipv', 'XM01H1'],
  ['Hib-HepB', 'hib hepatitis-b', 'XM32L7'],
  ['Pneumococcal conjugate', 'pneumococcal', 'XM9EM7 XM96S7 XM9G97 XM4R39'],
  ['Pneumococcal polysaccharide', 'other', 'XM91D7 XM2249'],
  ['Rotavirus', 'rotavirus', 'XM4GV0 XM1CE0 XM4VG1'],
  ['Measles', 'measles', 'XM28X5 XM8L15'],
  ['Measles and mumps', 'measles mumps', 'XM9439'],
  ['Measles and rubella', 'measles rubella', 'XM21H2'],
  ['Measles, mumps and rubella', 'measles mumps rubella', 'XM8TF3'],
  ['Measles, mumps, rubella and varicella', 'measles mumps rubella varicella', 'XM4AJ8'],
  ['Rubella', 'rubella', 'XM7PP1 XM9PS9'],
  ['Rubella and mumps', 'rubella mumps', 'XM3B09'],
  ['Mumps', 'mumps', 'XM1131 XM2340'],
  ['Varicella', 'varicella', 'XM0NS8'],
  ['Varicella or zoster, not told which', 'other', 'XM8DG3'],
  ['Japanese encephalitis, live', 'other-live', 'XM47S0'],
  ['Human papillomavirus', 'hpv', 'XM9QP0 XM1821 XM9BT4 XM5CE9'],
  ['Yellow fever', 'yellow-fever', 'XM0N24 XM3418'],
  ['Meningococcal, group A or ACWY', 'meningococcal-a', 'XM2280 XM5LC2'],
  ['Typhoid', 'typhoid', 'XM8BU8'],
  ['Typhoid, oral', 'other', 'XM33K4'],
  ['Typhoid Vi polysaccharide', 'other', 'XM3SF6'],
  ['Typhoid, killed', 'other', 'XM89G3'],
  ['Typhoid and hepatitis A', 'other', 'XM3JA6'],
  ['Typhoid and paratyphoid', 'other', 'XM9UB1'],
  ['Influenza', 'influenza', 'XM1LR5 XM8857 XM8MP2 XM9E16 XM33X8'],
  ['Influenza, live', 'influenza live-influenza', 'XM5V64'],
  ['Dengue', 'other-live', 'XM38G7'],
  ['Meningococcal, other groups', 'other', 'XM18Y8 XM9GJ1 XM1X81'],
  ['Meningococcal polysaccharide, not conjugated', 'other', 'XM37L5 XM92B2'],
  ['Meningococcal, not told which', 'other', 'XM2WV4'],
  ['Japanese encephalitis', 'other', 'XM0LB5'],
  ['Rabies', 'other', 'XM6T09 XM7BE8'],
  ['Cholera', 'other', 'XM29K4 XM3Z26 XM72A0 XM1FT6'],
  ['COVID-19', 'covid-19', 'XM68M6 XM1NL1 XM5DF6 XM9QW8 XM0CX4 XM5JC5 XM1J92 XM6AT1 XM0GQ8 XM3CT4'],
  // Products, as WHO's certificates name them.
  ['COVID-19', 'covid-19', 'XM8NQ0 XM3DT5 XM4YL8 XM6QV1 XM9T65 XM5ZJ4 XM1AG7'],
])

function table(rows: readonly (readonly [name: string, antigens: string, codes: string])[]): Map<string, KnownVaccine> {
  return new Map(
    rows.flatMap(([name, antigens, codes]) =>
      // Sound: the words above are antigens; the test of the table goes through all of them.
      codes.split(' ').map((code) => [code, { name, antigens: antigens.split(' ') as Antigen[] }]),
    ),
  )
}
