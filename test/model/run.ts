import { parseArgs } from 'node:util'
import { costs } from './costs.ts'
import { large, type Network } from './demand.ts'
import { report } from './report.ts'

/**
 * `bun run model [--servers 10000] [--players-a-day 10000000] …`: what a game network needs, in plain arithmetic from what
 * `measure.ts` measured.
 */
const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const names = Object.keys(large) as (keyof Network)[]
const { values } = parseArgs({
  options: Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' as const }])),
})

function numberOf(name: keyof Network): number {
  const given = values[flagOf(name)]
  if (given === undefined) return large[name]
  const value = Number(given)
  if (!(value > 0)) throw new Error(`--${flagOf(name)} must be a number above 0`)
  return value
}

const network = Object.fromEntries(names.map((name) => [name, numberOf(name)])) as unknown as Network
console.log(report(network, costs))
