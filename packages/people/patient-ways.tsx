import type { ComponentChildren } from 'preact'
import { Button } from '../views/components/button.tsx'

interface PatientWaysProps {
  readonly id: string
  /** The public address of each service whose pages the reader can sign in at. */
  readonly addresses: Readonly<Record<string, string>>
  readonly here?: PatientWay
}

type PatientWay = 'apps' | 'referrals' | 'consents'

const ways: readonly {
  readonly to: PatientWay
  readonly label: string
  readonly service: string
  readonly at: string
}[] = [
  { to: 'apps', label: 'Apps', service: 'auth', at: '/portal/patients/' },
  { to: 'referrals', label: 'Referrals', service: 'referral', at: '/patients/' },
  { to: 'consents', label: 'Consents', service: 'consent', at: '/patients/' },
]

/**
 * The ways to all that staff can see and do for a patient, for their banner: who searches for somebody a second time may find
 * a namesake. Nothing where there is none.
 */
export function patientWays({ id, addresses, here }: PatientWaysProps): ComponentChildren {
  const open = ways.filter(({ to, service }) => to !== here && addresses[service] !== undefined)
  if (open.length === 0) return undefined
  return open.map(({ to, label, service, at }) => (
    <Button key={to} href={`${addresses[service]}${at}${encodeURIComponent(id)}`}>
      {label}
    </Button>
  ))
}
