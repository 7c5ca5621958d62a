import { expect, test } from 'bun:test'
import { batches } from './batches.ts'
import { commandPowerCuts } from './command-power-cuts.ts'
import { creation } from './creation.ts'
import { jobs } from './jobs.ts'
import { kill } from './kill.ts'
import { powerCut } from './power-cut.ts'
import { replicas } from './replicas.ts'
import { stop } from './stop.ts'
import { storage } from './storage.ts'
import type { Plan } from './support/fault.ts'

/** A few cycles of each test in `bun run test:faults`, which runs hundreds, always from the same seed. */
const plan: Plan = { short: true, seed: 20_260_301, cycles: null, cuts: null }
const TIMEOUT_MS = 240_000

test(
  'a killed server loses no acknowledged write, and stores none twice',
  async () => {
    const { stats, failures } = await kill.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, duplicated: 0 })
    expect(stats.acknowledged).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

test(
  'a server that is killed during an archive, a copy and a roll-back completes them after the restart',
  async () => {
    const { stats, failures } = await jobs.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats.kills).toBeGreaterThan(3)
  },
  TIMEOUT_MS,
)

test(
  'a server that is killed during a batch acts on each player once or not at all, also when it reverses the batch',
  async () => {
    const { stats, failures } = await batches.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats.kills).toBeGreaterThan(5)
  },
  TIMEOUT_MS,
)

test(
  'a power cut loses no acknowledged write, but would if commits did not wait for the disk',
  async () => {
    const { stats, failures } = await powerCut.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, duplicated: 0, corrupt: 0 })
  },
  TIMEOUT_MS,
)

test(
  'a full or failing disk blocks writes but not reads, and no acknowledged write is lost',
  async () => {
    const { stats, failures } = await storage.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, duplicated: 0 })
    expect(stats.unavailable).toBeGreaterThan(0)
    expect(stats.readsDuringFault).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

test(
  'a server that is stopped responds to every request it accepted, and commits no write without a response',
  async () => {
    const { stats, failures } = await stop.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ lost: 0, 'truncated responses': 0, 'committed without response': 0 })
  },
  TIMEOUT_MS,
)

test(
  'if one of three replicas is killed, or their database crashes, no acknowledged write is lost and they recover automatically',
  async () => {
    const { stats, failures } = await replicas.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats).toMatchObject({ kills: 2, crashes: 2, lost: 0, duplicated: 0 })
    expect(stats.acknowledged).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

test(
  'a data folder whose creation was killed at any write can be created again',
  async () => {
    const { stats, failures } = await creation.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats.kills).toBeGreaterThan(10)
  },
  TIMEOUT_MS,
)

test(
  'a power cut during init, the first serve, a backup, a restore or a move leaves the old state or the new one',
  async () => {
    const { stats, failures } = await commandPowerCuts.run(plan, () => {})
    expect(failures).toEqual([])
    expect(stats['complete afterwards']).toBeGreaterThanOrEqual(5)
  },
  TIMEOUT_MS,
)
