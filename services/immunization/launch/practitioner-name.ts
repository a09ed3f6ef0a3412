import type { Practitioner } from '../../../packages/fhir/r4.ts'
import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import { nameOf } from '../../../packages/people/human-name.ts'
import { httpFhirStore } from '../../../ports/fhir-store/http-fhir-store.ts'

/** The name that the FHIR server has for the user. A server that does not tell is no reason to fail. */
export async function practitionerName(
  fhirUser: string | null,
  base: string,
  accessToken: string,
  { outbound }: { readonly outbound: Pick<Outbound, 'send'> },
): Promise<string | null> {
  const id = /^Practitioner\/(.+)$/.exec(fhirUser ?? '')?.[1]
  if (id === undefined) return null
  const store = httpFhirStore({ base, outbound, token: async () => accessToken })
  const practitioner = await store.read<Practitioner>('Practitioner', id).catch(() => undefined)
  return nameOf(practitioner?.name) ?? null
}
