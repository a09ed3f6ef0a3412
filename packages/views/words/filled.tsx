import type { ComponentChild } from 'preact'

interface FilledProps {
  readonly text: string
  readonly parts: Readonly<Record<string, ComponentChild>>
}

/** A text whose `{name}`s are pieces of a page: a name in its own direction, a link. */
export function Filled({ text, parts }: FilledProps) {
  return <>{text.split(/(\{\w+\})/).map((piece) => parts[nameIn(piece) ?? ''] ?? piece)}</>
}

const nameIn = (piece: string): string | undefined => /^\{(\w+)\}$/.exec(piece)?.[1]
