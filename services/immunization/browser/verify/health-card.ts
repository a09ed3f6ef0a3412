// A SMART Health Card: a compact JWS whose payload is deflated.
import {
  bytesOf,
  doubt,
  isObject,
  isSigned,
  jsonOf,
  textOf,
  type Certified,
  type CertifiedDose,
  type TrustedKeys,
  type Verdict,
} from './parts.ts'

export async function healthCardVerdict(card: string, trusted: TrustedKeys, now: Date): Promise<Verdict> {
  const [header = '', payload = '', signed = ''] = card.split('.')
  const head = jsonOf(await decoded(header, false))
  const body = jsonOf(await decoded(payload, head?.['zip'] === 'DEF'))
  const signature = bytesOf(signed)
  if (head === undefined || body === undefined || signature === undefined) return doubt('not-a-certificate')
  if (!trusted.issuers.includes(textOf(body['iss']) ?? '')) return doubt('other-issuer')
  const key = trusted.keys.find(({ kid }) => kid === head['kid'])
  if (key === undefined || head['alg'] !== 'ES256') return doubt('unknown-key')
  if (!(await isSigned(key, signature, `${header}.${payload}`))) return doubt('bad-signature')
  const seconds = now.getTime() / 1_000
  // A minute for clocks that differ.
  if (typeof body['nbf'] !== 'number' || body['nbf'] > seconds + 60) return doubt('not-yet-valid')
  if (typeof body['exp'] === 'number' && body['exp'] < seconds) return doubt('expired')
  return { isValid: true, certified: certifiedOf(body, new Date(body['nbf'] * 1_000).toISOString()) }
}

/** More than a card can hold is not read: a few kilobytes could be made to unpack to gigabytes. */
const unpackedBytesMax = 500_000

async function decoded(part: string, isDeflated: boolean): Promise<string> {
  const bytes = bytesOf(part)
  if (bytes === undefined) return ''
  if (!isDeflated) return new TextDecoder().decode(bytes)
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true })
      if (text.length > unpackedBytesMax) return ''
    }
    return text + decoder.decode()
  } catch {
    return ''
  }
}

function certifiedOf(body: Record<string, unknown>, issuedAt: string): Certified {
  const resources = resourcesOf(body)
  const patient = resources.find((resource) => resource['resourceType'] === 'Patient') ?? {}
  return {
    name: nameOf(listOf(patient['name'])[0] ?? {}),
    birthDate: textOf(patient['birthDate']),
    issuedAt,
    doses: resources.filter((resource) => resource['resourceType'] === 'Immunization').map(doseOf),
  }
}

function resourcesOf({ vc }: Record<string, unknown>): Record<string, unknown>[] {
  const subject = isObject(vc) ? vc['credentialSubject'] : undefined
  const bundle = isObject(subject) ? subject['fhirBundle'] : undefined
  return isObject(bundle)
    ? listOf(bundle['entry']).flatMap(({ resource }) => (isObject(resource) ? [resource] : []))
    : []
}

function nameOf(name: Record<string, unknown>): string {
  const given = Array.isArray(name['given']) ? name['given'].flatMap((part) => textOf(part) ?? []) : []
  return textOf(name['text']) ?? [...given, textOf(name['family']) ?? ''].join(' ').trim()
}

function doseOf(resource: Record<string, unknown>): CertifiedDose {
  const vaccine = isObject(resource['vaccineCode']) ? resource['vaccineCode'] : {}
  const coding = listOf(vaccine['coding'])[0] ?? {}
  const actor = listOf(resource['performer'])[0]?.['actor']
  return {
    system: textOf(coding['system']),
    code: textOf(coding['code']),
    name: textOf(vaccine['text']) ?? textOf(coding['display']),
    date: textOf(resource['occurrenceDateTime']),
    lot: textOf(resource['lotNumber']),
    givenBy: isObject(actor) ? textOf(actor['display']) : undefined,
  }
}

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : [])
