import type { EncounterParticipant, Reference } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { concept, rowOf } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from '../dt/cwe.ts'
import { periodOf, timestamp } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import { providerRole } from '../v/0443-provider-role.ts'
import { participationTypes } from './pv1.ts'

/** ROL after PV1: someone who takes part in the visit, and whether that ends (ROL-2 DE). */
export function participant(
  rol: Segment,
  draft: Draft,
): { readonly someone: EncounterParticipant; readonly isOver: boolean } | undefined {
  const individual = xcn(rol.part(4), at(draft, rol, 4))
  if (individual === undefined) return undefined
  const mapped = rowOf(providerRole, rol.text(3) ?? '')
  const type =
    mapped === undefined
      ? cweOf('0443')(rol.part(3), at(draft, rol, 3))
      : concept(participationTypes, mapped.code, mapped.display)
  const period = periodOf(
    timestamp(rol.part(5), at(draft, rol, 5)),
    timestamp(rol.part(6), at(draft, rol, 6)),
    at(draft, rol, 5),
  )
  const someone = {
    ...(type === undefined ? {} : { type: [type] }),
    individual,
    ...(period === undefined ? {} : { period }),
  }
  return { someone, isOver: isOver(rol) }
}

const isOver = (rol: Segment): boolean => rol.text(2)?.trim().toUpperCase() === 'DE'

/** ROL before PV1: the patient's own doctor, where the role says so, and whether that ends (ROL-2 DE). */
export function generalPractitioner(
  rol: Segment,
  draft: Draft,
): { readonly doctor: Reference; readonly isOver: boolean } | undefined {
  const role = rol.text(3)?.trim().toUpperCase()
  const doctor = role === 'PP' || role === 'FHCP' ? xcn(rol.part(4), at(draft, rol, 4)) : undefined
  return doctor && { doctor, isOver: isOver(rol) }
}
