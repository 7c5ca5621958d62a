import { parseArgs } from 'node:util'
import { costs } from './costs.ts'
import { largeNetwork, type Network } from './demand.ts'
import { formatReport } from './report.ts'

/**
 * `bun run model [--servers 10000] [--players-a-day 10000000] …`: computes the capacity that a game network needs from the costs
 * that `measure.ts` measured.
 */
const toFlag = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const names = Object.keys(largeNetwork) as (keyof Network)[]
const { values } = parseArgs({
  options: Object.fromEntries(names.map((name) => [toFlag(name), { type: 'string' as const }])),
})

function readNumber(name: keyof Network): number {
  const text = values[toFlag(name)]
  if (text === undefined) return largeNetwork[name]
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${toFlag(name)} must be a number above 0`)
  return value
}

const network = Object.fromEntries(names.map((name) => [name, readNumber(name)])) as unknown as Network
console.log(formatReport(network, costs))
