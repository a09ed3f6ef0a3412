import type { MappedPair, ShippedConceptMap } from '../content.ts'

/**
 * A laboratory's short codes in LOINC, for the demonstration and as a pattern for a site's own map. They hold only under
 * their own system: elsewhere K may be anything.
 */
export const laboratoryAbbreviations: ShippedConceptMap = {
  url: 'urn:corridor:concept-map:laboratory-abbreviations',
  name: 'Common laboratory abbreviations to LOINC',
  groups: [{ source: 'urn:corridor:laboratory-codes', target: 'http://loinc.org', pairs: pairs() }],
}

function pairs(): MappedPair[] {
  const text = `
    HGB 718-7, HB 718-7, HCT 4544-3, WBC 6690-2, RBC 789-8, PLT 777-3, MCV 787-2, MCH 785-6, MCHC 786-4, ESR 30341-2,
    GLU 2345-7, FBS 1558-6, HBA1C 4548-4, BUN 3094-0, UREA 22664-7, CREA 2160-0, CRE 2160-0, NA 2951-2, K 2823-3,
    CL 2075-0, CO2 2028-9, CA 17861-6, MG 19123-9, PHOS 2777-1, ALB 1751-7, TP 2885-2, TBIL 1975-2, DBIL 1968-7,
    ALT 1742-6, SGPT 1742-6, AST 1920-8, SGOT 1920-8, ALP 6768-6, GGT 2324-2, LDH 2532-0, AMY 1798-8, LIP 3040-3,
    CHOL 2093-3, HDL 2085-9, LDL 13457-7, TRIG 2571-8, CRP 1988-5, PCT 33959-8, LAC 2524-7, FERR 2276-4, TSH 3016-3,
    FT4 3024-7, INR 6301-6, PT 5902-2, APTT 14979-9, DDIM 48065-7, TROPT 6598-7, TROPI 10839-9, BNP 30934-4,
    PSA 2857-1, HCG 21198-7, MALARIA 32700-7, MRDT 51587-4, HIVRDT 68961-2, VL 20447-9, CD4 24467-3, HBSAG 5196-1,
    HCV 13955-0, RPR 20507-0, VDRL 5292-8, COVIDPCR 94500-6, COVIDAG 94558-4, BLDCX 600-7, URCX 630-4, GRAM 664-3,
    AFB 11545-1, ABORH 882-1, SBP 8480-6, DBP 8462-4, HR 8867-4, RR 9279-1, TEMP 8310-5, SPO2 59408-5, WT 29463-7,
    HT 8302-2, BMI 39156-5`
  return text
    .trim()
    .split(/\s*,\s*/)
    .map((pair) => {
      const [code = '', loinc = ''] = pair.split(' ')
      return [code, loinc]
    })
}
