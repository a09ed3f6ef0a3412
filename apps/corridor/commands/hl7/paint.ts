import type { Terminal } from '../../terminal.ts'

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'faint' | 'bold'

/** Text in a colour where the terminal has some. */
export const paint =
  ({ hasColour }: Terminal) =>
  (colour: Colour, text: string): string =>
    hasColour ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text

const codes: Readonly<Record<Colour, string>> = {
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  faint: '2',
  bold: '1',
}
