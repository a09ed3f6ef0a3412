/** What the bridge has measured of its messages since it was started: numbers that only grow. */
export interface MessageTimes {
  readonly messages: number
  /** From the first byte to the durable end. */
  readonly wholeMs: number
  readonly stageMs: Readonly<Record<string, number>>
}

export async function messageTimes(bridgeUrl: string): Promise<MessageTimes> {
  return readMessageTimes(await (await fetch(`${bridgeUrl}/actuator/prometheus`)).text())
}

export function readMessageTimes(text: string): MessageTimes {
  const series = [...text.matchAll(/^corridor_bridge_(\w+?)_seconds_(sum|count)\{(?:channel|stage)="(\w+)"\} (\S+)$/gm)]
  const total = (name: string, what: string) =>
    series.filter((one) => one[1] === name && one[2] === what).reduce((sum, [, , , , value]) => sum + Number(value), 0)
  const stages = series.filter(([, name, what]) => name === 'stage' && what === 'sum')
  return {
    messages: total('message', 'count'),
    wholeMs: total('message', 'sum') * 1_000,
    stageMs: Object.fromEntries(stages.map(([, , , stage = '', value]) => [stage, Number(value) * 1_000])),
  }
}
