import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { queryServer } from '@reeve/db/test-cluster'
import { LOAD_SERVER_ENV } from '../faults/support/server-settings.ts'
import { BINARY, type RunningServer, startServer } from '../support/program.ts'
import { OUTBOUND_TO_TESTS } from '../support/webhook-receiver.ts'
import { FIRST_PLAYER } from './dataset.ts'
import type { LoadArgument } from './load-process.ts'
import type { ProbeArgument, ProbeResult } from './probe.ts'
import type { Dataset, LoadContext, LoadResult, Prepared, Scenario } from './scenario.ts'
import { type ChildProcess, startChild } from './support/child-process.ts'
import { type Memory, measureDisk, readResidentMemory, watchMemory } from './support/resources.ts'

/** Where the data are that the scenarios of a run share. */
export interface Target {
  /** Contains `data` and what scenarios write. */
  readonly folder: string
  readonly databaseUrl: string | null
  readonly dataset: Dataset
}

/** How long the parts of a measurement last, in seconds. */
export interface Plan {
  /** Ban checks before the measurement: a server is slower until it has compiled the code that they use. */
  readonly warmUpSeconds: number
  /** The measurement without load. */
  readonly idleSeconds: number
  /** The start of the load, which is measured by itself, because the code of the load is compiled then. */
  readonly startSeconds: number
  /** The measurement during the load, at least. */
  readonly loadSeconds: number
}

export interface Measurement {
  readonly scenario: string
  readonly title: string
  /** What the load did. */
  readonly work: string
  readonly idle: ProbeResult
  /** The first seconds of the load. */
  readonly starting: ProbeResult
  /** The load after its first seconds. */
  readonly loaded: ProbeResult
  /** p99 under load, after its first seconds, relative to p99 without it. */
  readonly ratio: number
  /** The bound of `ratio`, if that of the scenario is stricter than S10. */
  readonly maxRatio?: number
  /** The p99 of the time until a waiting request has a change, in milliseconds, for a load that measures it. */
  readonly wakeUpP99?: number
  /** The share of what the load has created for receivers that they had received when it ended, for a load that measures it. */
  readonly receivedShare?: number
  readonly memory: Memory
  /** How much resident memory grew while connections were opened, in bytes, for a load that begins with them. */
  readonly connectionMemory?: number
  /** The bound of `connectionMemory`, if the scenario has one. */
  readonly maxConnectionMemory?: number
  readonly diskGrowth: number
  /** Why the load did not complete; null if it did. */
  readonly failure: string | null
}

/** Measures ban checks while something else happens. */
export async function runProbe(probe: ChildProcess, during: () => Promise<void>): Promise<ProbeResult> {
  probe.send('start')
  await during()
  probe.send('stop')
  return JSON.parse(await probe.nextLine()) as ProbeResult
}

/**
 * Verifies all sessions again, because a run lasts longer than a verification, and postpones the count of the storage of each workspace, which
 * otherwise runs during a measurement without load.
 */
async function refreshData({ folder, databaseUrl }: Target): Promise<void> {
  const commands = [
    `update session set verified_at = ${Date.now()}`,
    `update workspace_head set storage_counted_at = ${Date.now()}`,
  ]
  if (databaseUrl !== null) {
    for (const command of commands) await queryServer(databaseUrl, command)
    return
  }
  const database = new Database(join(folder, 'data/reeve.db'))
  for (const command of commands) database.run(command)
  database.close()
}

async function startTarget(target: Target): Promise<RunningServer> {
  await refreshData(target)
  const { folder, databaseUrl } = target
  const env = {
    ...LOAD_SERVER_ENV,
    REEVE_TRUSTED_PROXIES: '127.0.0.1',
    ...OUTBOUND_TO_TESTS,
    ...(databaseUrl === null ? {} : { REEVE_DATABASE_URL: databaseUrl }),
  }
  return startServer({ dataDir: join(folder, 'data'), program: BINARY, env })
}

function createContext(target: Target, url: string, seconds: number): LoadContext {
  const outputDir = join(target.folder, 'output')
  mkdirSync(outputDir, { recursive: true, mode: 0o700 })
  const { dataset, databaseUrl } = target
  return { url, dataDir: join(target.folder, 'data'), databaseUrl, outputDir, dataset, seconds }
}

async function prepareScenario(scenario: Scenario, target: Target): Promise<Prepared> {
  if (!scenario.prepare) return {}
  const server = await startTarget(target)
  try {
    return await scenario.prepare(createContext(target, server.url, 0))
  } finally {
    await server.stop()
  }
}

/** Runs a scenario on a server of its own, so that its memory contains nothing of earlier ones. */
export async function measureScenario(scenario: Scenario, target: Target, plan: Plan): Promise<Measurement> {
  const prepared = await prepareScenario(scenario, target)
  const server = await startTarget(target)
  const { checked, bannedPlayers } = target.dataset
  const probeArgument: ProbeArgument = {
    url: server.url,
    workspace: checked,
    firstPlayer: FIRST_PLAYER,
    bannedPlayers,
  }
  const seconds = Math.min(
    plan.startSeconds + plan.loadSeconds,
    scenario.maxSeconds ?? Number.POSITIVE_INFINITY,
  )
  const context = createContext(target, server.url, seconds)
  const loadArgument: LoadArgument = { scenario: scenario.name, context, prepared }
  const probe = startChild('probe.ts', probeArgument)
  const load = startChild('load-process.ts', loadArgument)
  try {
    await load.nextLine()
    await runProbe(probe, () => Bun.sleep(plan.warmUpSeconds * 1000))
    const idle = await runProbe(probe, () => Bun.sleep(plan.idleSeconds * 1000))
    const residentBefore = readResidentMemory(server.pid)
    load.send('connect')
    await load.nextLine()
    const connectionMemory = readResidentMemory(server.pid) - residentBefore
    const diskBefore = await measureDisk(target.folder, target.databaseUrl)
    const memory = watchMemory(server.pid)
    let result: LoadResult = { work: '' }
    let failure: string | null = null
    const starting = await runProbe(probe, async () => {
      load.send('start')
      await Bun.sleep(plan.startSeconds * 1000)
    })
    const loaded = await runProbe(probe, async () => {
      try {
        result = JSON.parse(await load.nextLine())
      } catch (error) {
        failure = String((error as Error).message).slice(0, 500)
      }
    })
    return {
      ...{ scenario: scenario.name, title: scenario.title, ...result, idle, starting, loaded },
      ...(scenario.maxRatio !== undefined && { maxRatio: scenario.maxRatio }),
      ...(scenario.connect && { connectionMemory }),
      ...(scenario.maxConnectionMemory !== undefined && {
        maxConnectionMemory: scenario.maxConnectionMemory,
      }),
      ratio: loaded.p99 / idle.p99,
      memory: memory.stop(),
      diskGrowth: (await measureDisk(target.folder, target.databaseUrl)) - diskBefore,
      failure,
    }
  } finally {
    await Promise.all([probe.close(), load.close()])
    await server.stop()
  }
}
