import { StatusPill } from '../../../packages/views/components/badge.tsx'
import type { Word } from './words.ts'

export const Pill = ({ label, tone }: Word) => <StatusPill tone={tone}>{label}</StatusPill>
