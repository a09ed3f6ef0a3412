import { assert } from '../../../packages/faults/fault.ts'
import { knownVaccineOf, vaccineSystem } from '../forecast/vaccine-codes.ts'
import { canonicalJson } from './canonical-json.ts'
import { sequencesOf, vaccineGroups, type CertifiedDose, type VaccineGroup } from './certified-dose.ts'
import { icaoName, type NamedPerson } from './icao-name.ts'
import type { CertificateKey } from './keys.ts'
import { checkIdentified, checkWritable, hasPlace, nothingToSign, vouchedFor, type Looking } from './signable.ts'

/** VDS-NC as ICAO publishes it: the data and a signature over their canonical form. */
export interface SignedEnvelope {
  readonly data: {
    readonly hdr: { readonly t: 'icao.vacc'; readonly v: 1; readonly is: string }
    readonly msg: {
      readonly uvci: string
      readonly pid: { readonly n?: string; readonly dob?: string; readonly sex?: 'M' | 'F' }
      readonly ve: readonly EnvelopeVaccine[]
    }
  }
  readonly sig: {
    readonly alg: 'ES256'
    /** The X.509 certificate of the signer: DER, base64url. */
    readonly cer: string
    /** The signature, r and s, base64url. */
    readonly sigvl: string
  }
}

interface EnvelopeVaccine {
  readonly des: string
  readonly nam: string
  readonly dis?: string
  readonly vd: readonly {
    readonly dvc: string
    readonly seq: number
    readonly ctr: string
    readonly lot?: string
    readonly adm?: string
  }[]
}

export interface EnvelopeInput {
  readonly patient: NamedPerson & { readonly sex?: 'male' | 'female' | null }
  readonly immunizations: readonly CertifiedDose[]
  /** YYYY-MM-DD, where the app stands. */
  readonly today: string
  readonly uvci: string
  /** Three letters (ISO 3166-1 or Doc 9303): who issues, and where the doses were given. */
  readonly country: string
  readonly key: CertificateKey
}

export async function signedEnvelope(input: EnvelopeInput): Promise<SignedEnvelope> {
  assert(/^[A-Z]{3}$/.test(input.country), 'a country is three capital letters')
  checkIdentified(input.patient)
  checkWritable(input.patient)
  const data = dataOf(input)
  if (data.msg.ve.length === 0) throw nothingToSign()
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    input.key.privateKey,
    new TextEncoder().encode(canonicalJson(data)),
  )
  return {
    data,
    sig: {
      alg: 'ES256',
      cer: input.key.certificate.toString('base64url'),
      sigvl: Buffer.from(signature).toString('base64url'),
    },
  }
}

function dataOf({ patient, immunizations, today, uvci, country }: EnvelopeInput): SignedEnvelope['data'] {
  const looking = { patient, today }
  const placed = immunizations.filter((dose) => hasPlace(dose, looking))
  return {
    hdr: { t: 'icao.vacc', v: 1, is: country },
    msg: {
      uvci,
      pid: {
        n: icaoName(patient),
        ...(patient.birthDate === null ? {} : { dob: patient.birthDate }),
        ...sexOf(patient.sex),
      },
      ve: vaccineGroups(placed, (dose) => vaccineSystem(dose.vaccineSystem)).flatMap((group) =>
        vaccineOf(group, country, looking),
      ),
    },
  }
}

/**
 * Doses that are only remembered are left out, and still counted: the second dose stays the second. So are those without
 * a whole day, the only kind that this form can write.
 */
function vaccineOf(group: VaccineGroup, country: string, looking: Looking): EnvelopeVaccine[] {
  const signed = vouchedFor(group.doses, looking).filter(({ occurrencePrecision }) => occurrencePrecision === 'day')
  const sequences = sequencesOf(group)
  const vd = signed.map((dose) => ({
    dvc: dose.occurrenceDate,
    seq: sequences.get(dose) ?? 1,
    ctr: country,
    ...(dose.lotNumber === null ? {} : { lot: dose.lotNumber }),
    ...(dose.performerDisplay === null ? {} : { adm: dose.performerDisplay }),
  }))
  if (vd.length === 0) return []
  return [{ des: group.code, nam: group.name, ...(group.doses.some(isAgainstCovid) ? { dis: 'RA01' } : {}), vd }]
}

function sexOf(sex: 'male' | 'female' | null | undefined): { sex?: 'M' | 'F' } {
  if (sex === undefined || sex === null) return {}
  return { sex: sex === 'male' ? 'M' : 'F' }
}

/** `dis` may be left out, and what is signed must be true: the ICD-11 code of COVID-19 stands only where it belongs. */
const isAgainstCovid = (dose: CertifiedDose): boolean => knownVaccineOf(dose)?.antigens.includes('covid-19') === true
