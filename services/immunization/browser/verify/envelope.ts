// A signed VDS-NC envelope: the data in canonical JSON, the signer's certificate, the signature.
import {
  bytesOf,
  doubt,
  isObject,
  isSigned,
  textOf,
  type Certified,
  type CertifiedDose,
  type PublicKey,
  type TrustedKeys,
  type Verdict,
} from './parts.ts'

export async function envelopeVerdict(envelope: Record<string, unknown>, { keys }: TrustedKeys): Promise<Verdict> {
  const { data, sig } = envelope
  if (!isObject(data) || !isObject(sig)) return doubt('not-a-certificate')
  const certificate = bytesOf(textOf(sig['cer']) ?? '')
  const signature = bytesOf(textOf(sig['sigvl']) ?? '')
  if (certificate === undefined || signature === undefined) return doubt('not-a-certificate')
  // The certificate vouches for nothing; it only tells which of the published keys to use.
  const key = keys.find((each) => carries(certificate, each))
  if (key === undefined || sig['alg'] !== 'ES256') return doubt('unknown-key')
  if (!(await isSigned(key, signature, canonical(data)))) return doubt('bad-signature')
  return { isValid: true, certified: certifiedOf(isObject(data['msg']) ? data['msg'] : {}) }
}

/** Whether the certificate holds this public key, as the point 04 x y. */
function carries(certificate: Uint8Array, { x, y }: PublicKey): boolean {
  const hex = (bytes: Uint8Array | undefined) =>
    Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex(certificate).includes(`04${hex(bytesOf(x))}${hex(bytesOf(y))}`)
}

/** RFC 8785. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

function certifiedOf({ pid, ve }: Record<string, unknown>): Certified {
  const person = isObject(pid) ? pid : {}
  const vaccines = Array.isArray(ve) ? ve.filter(isObject) : []
  return {
    name: (textOf(person['n']) ?? '').replaceAll('<<', ', ').replaceAll('<', ' '),
    birthDate: textOf(person['dob']),
    issuedAt: undefined,
    doses: vaccines.flatMap(dosesOf),
  }
}

function dosesOf(vaccine: Record<string, unknown>): CertifiedDose[] {
  const given = Array.isArray(vaccine['vd']) ? vaccine['vd'].filter(isObject) : []
  return given.map((dose) => ({
    system: undefined,
    code: textOf(vaccine['des']),
    name: textOf(vaccine['nam']),
    date: textOf(dose['dvc']),
    lot: textOf(dose['lot']),
    givenBy: textOf(dose['adm']),
  }))
}
