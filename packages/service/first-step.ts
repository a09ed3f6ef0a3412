import type { FirstStep } from '../views/service-home.tsx'

/** A step as a service declares it: it names nobody, except in the demo, whose people and accounts everybody knows. */
export interface DeclaredStep extends FirstStep {
  readonly inDemo?: Partial<Pick<FirstStep, 'text' | 'command'>>
}

/** The steps as they are shown. */
export const stepsIn = (mode: 'demo' | 'production', steps: readonly DeclaredStep[]): FirstStep[] =>
  steps.map(({ inDemo, ...step }) => (mode === 'demo' ? { ...step, ...inDemo } : step))
