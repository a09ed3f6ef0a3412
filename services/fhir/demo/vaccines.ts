/** CVX code and the short name that a vaccination card has. */
export const vaccines = {
  bcg: ['19', 'BCG'],
  hepatitisB: ['08', 'Hepatitis B'],
  polio: ['10', 'Polio (IPV)'],
  pentavalent: ['198', 'DTP-HepB-Hib'],
  pneumococcal: ['133', 'Pneumococcal (PCV13)'],
  rotavirus: ['119', 'Rotavirus'],
  measlesRubella: ['04', 'Measles and rubella'],
  yellowFever: ['37', 'Yellow fever'],
  meningitisA: ['191', 'Meningococcal A'],
  hpv: ['62', 'HPV'],
  tetanusDiphtheria: ['09', 'Td (adult)'],
  covid: ['208', 'COVID-19 mRNA'],
  influenza: ['141', 'Influenza'],
  varicella: ['21', 'Varicella'],
  typhoid: ['190', 'Typhoid'],
} as const satisfies Record<string, readonly [cvx: string, name: string]>

export type Vaccine = keyof typeof vaccines
