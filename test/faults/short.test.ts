import { expect, test } from 'bun:test'
import { kill } from './kill.ts'
import { powerCut } from './power-cut.ts'
import { replicas } from './replicas.ts'
import { stop } from './stop.ts'
import { storage } from './storage.ts'
import type { Plan } from './support/fault.ts'

/**
 * A few cycles of what `bun run test:faults` does by the hundred, always with the same choices.
 */
const plan: Plan = { short: true, seed: 20_260_301, cycles: null, cuts: null }
const MOST_MS = 120_000

test(
  'a killed server has lost nothing that it acknowledged, and done nothing twice',
  async () => {
    const { stats, failures } = await kill.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, duplicated: 0 })
    expect(stats.acknowledged).toBeGreaterThan(0)
  },
  MOST_MS,
)

test(
  'a power cut takes nothing that was acknowledged, and would if commits did not wait for the disk',
  async () => {
    const { stats, failures } = await powerCut.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, duplicated: 0, corrupt: 0 })
  },
  MOST_MS,
)

test(
  'a full or failing disk stops writes and not reads, and what was acknowledged is there when it has room again',
  async () => {
    const { stats, failures } = await storage.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, duplicated: 0 })
    expect(stats.unavailable).toBeGreaterThan(0)
    expect(stats.readsDuringFault).toBeGreaterThan(0)
  },
  MOST_MS,
)

test(
  'a server that is told to stop answers what it took on, and does nothing else',
  async () => {
    const { stats, failures } = await stop.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, 'truncated responses': 0, 'committed without response': 0 })
  },
  MOST_MS,
)

test(
  'of three replicas one is killed, or their database crashes: nothing acknowledged is lost, and they recover by themselves',
  async () => {
    const { stats, failures } = await replicas.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ kills: 2, crashes: 2, lost: 0, duplicated: 0 })
    expect(stats.acknowledged).toBeGreaterThan(0)
  },
  MOST_MS,
)
