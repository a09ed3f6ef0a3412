/** How often what was tried, for the table at the end of the run. */
export class Tally {
  readonly #rows = new Map<string, { routes: Set<string>; requests: number }>()

  count(attack: string, route: string): void {
    const row = this.#rows.get(attack) ?? { routes: new Set<string>(), requests: 0 }
    row.routes.add(route)
    row.requests++
    this.#rows.set(attack, row)
  }

  table(): string {
    const rows = [...this.#rows].map(([attack, { routes, requests }]) => [attack, routes.size, requests] as const)
    const width = Math.max(...rows.map(([attack]) => attack.length), 'attack'.length)
    const line = (attack: string, routes: string | number, requests: string | number) =>
      `${attack.padEnd(width)}  ${String(routes).padStart(7)}  ${String(requests).padStart(9)}`
    const total = rows.reduce((sum, [, , requests]) => sum + requests, 0)
    return [line('attack', 'routes', 'requests'), ...rows.map((row) => line(...row)), line('all', '', total)].join('\n')
  }
}
