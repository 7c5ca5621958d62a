import { seededRandom } from '../bench/seeded-random.ts'
import { pollUntil } from '../support/poll.ts'
import { BINARY, type RunningServer, startServer } from '../support/program.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openConnection } from './support/connection.ts'
import { checkDataFolder, findStateDifferences } from './support/database-checks.ts'
import { type FaultTest, type Plan, summarizeFindings } from './support/fault.ts'
import { populate, type WorkspaceCredentials } from './support/populate.ts'
import { LOAD_SERVER_ENV, watchForCheckpoint } from './support/server-settings.ts'
import { withFailingSyscall } from './support/strace.ts'
import { createAuthHeaders, createWriteLoad, type WriteLoad } from './support/write-load.ts'

const WRITERS = 64
const WORKSPACES = 8
const MEGABYTE = 1024 * 1024

interface FaultStats {
  acknowledged: number
  unavailable: number
  readsDuringFault: number
  lost: number
  duplicated: number
}

/** D3: the disk is full or fails. */
export const storage: FaultTest = {
  promise: 'D3',
  title: 'disk full, I/O errors on write and on sync',
  async run(plan, log) {
    const stats: Record<string, number | string> = {}
    const failures: string[] = []
    for (const [name, runFault] of Object.entries(storageFaults)) {
      const faultStats: FaultStats = {
        acknowledged: 0,
        unavailable: 0,
        readsDuringFault: 0,
        lost: 0,
        duplicated: 0,
      }
      const faultFailures = await runFault(plan, faultStats)
      log(
        `${name}: ${Object.entries(faultStats)
          .map(([counter, count]) => `${counter} ${count}`)
          .join(', ')}`,
      )
      for (const [counter, count] of Object.entries(faultStats))
        stats[counter] = Number(stats[counter] ?? 0) + count
      failures.push(...faultFailures.map((fault) => `${name}: ${fault}`))
    }
    return { stats, failures }
  },
}

/** Starts a server on the folder, optionally under a wrapper that injects faults. */
type Start = (program?: readonly string[]) => Promise<RunningServer>

type StorageFault = (plan: Plan, faultStats: FaultStats) => Promise<string[]>

const storageFaults: Readonly<Record<string, StorageFault>> = {
  'disk full': async (plan, faultStats) => {
    const disk = mountSmallDisk(plan.short ? 9 : 48)
    if (!disk) {
      return [
        ...(await runTransientError(
          {
            syscall: 'pwrite64',
            file: 'reeve.db-wal',
            error: 'ENOSPC',
            when: plan.short ? '300..360' : '500..900',
          },
          plan,
          faultStats,
        )),
      ]
    }
    try {
      return await runOnFolder(
        disk.data,
        { ...plan, isHeavy: false },
        async (load, workspaces, start) => {
          disk.fill((plan.short ? 4 : 24) * MEGABYTE)
          const server = await start()
          let diskWasFull = false
          let targetCount = Number.POSITIVE_INFINITY
          const loadRun = load.run(server.url, () => load.ledger.acknowledged.length >= targetCount)
          const readRun = readRepeatedly(server, workspaces, load, faultStats, () => diskWasFull)
          await pollUntil(async () => load.ledger.unavailable > 200, 'writes are rejected')
          await Bun.sleep(300)
          diskWasFull = true
          disk.free()
          targetCount = load.ledger.acknowledged.length + 200
          await Promise.all([loadRun, readRun])
          return server
        },
        faultStats,
      )
    } finally {
      disk.remove()
    }
  },
  'write error on the WAL': (plan, faultStats) =>
    runTransientError(
      { syscall: 'pwrite64', file: 'reeve.db-wal', error: 'EIO', when: plan.short ? '300..330' : '500..620' },
      plan,
      faultStats,
    ),
  'write error on the database': (plan, faultStats) =>
    runTransientError(
      { syscall: 'pwrite64', file: 'reeve.db', error: 'EIO', when: plan.short ? '1..5' : '1..20' },
      plan,
      faultStats,
    ),
  'sync error on the WAL': (plan, faultStats) =>
    runFatalError(
      { syscall: 'fsync', file: 'reeve.db-wal', error: 'EIO', when: plan.short ? '10+' : '30+' },
      plan,
      faultStats,
    ),
  'sync error on the database': (plan, faultStats) =>
    runFatalError({ syscall: 'fsync', file: 'reeve.db', error: 'EIO', when: '1+' }, plan, faultStats),
}

type InjectedError = Parameters<typeof withFailingSyscall>[1]

/** A temporary error: reads continue, writes are rejected, and everything works again afterwards. */
async function runTransientError(
  injectedError: InjectedError,
  plan: Plan,
  faultStats: FaultStats,
): Promise<string[]> {
  const folder = temporaryFolder()
  const targetCount = plan.short ? 400 : 3000
  const atCheckpoint = injectedError.file === 'reeve.db'
  try {
    return await runOnFolder(
      folder.data,
      { ...plan, isHeavy: atCheckpoint },
      async (load, workspaces, start) => {
        const server = await start(withFailingSyscall(folder.data, injectedError, BINARY))
        const hasCheckpointed = watchForCheckpoint(folder.data)
        let isDone = false
        const readRun = readRepeatedly(server, workspaces, load, faultStats, () => isDone)
        await load.run(
          server.url,
          () => load.ledger.acknowledged.length >= targetCount && (!atCheckpoint || hasCheckpointed()),
        )
        isDone = true
        await readRun
        return server
      },
      faultStats,
    )
  } finally {
    folder.remove()
  }
}

/** A failed sync: the process reports it and exits, and every acknowledged write is there after a restart. */
async function runFatalError(
  injectedError: InjectedError,
  plan: Plan,
  faultStats: FaultStats,
): Promise<string[]> {
  const folder = temporaryFolder()
  const faults: string[] = []
  const atCheckpoint = injectedError.file === 'reeve.db'
  try {
    const found = await runOnFolder(
      folder.data,
      { ...plan, isHeavy: atCheckpoint },
      async (load, _, start) => {
        const server = await start(withFailingSyscall(folder.data, injectedError, BINARY))
        await load.run(server.url, () => false)
        const exitCode = await server.exited
        if (exitCode !== 1) faults.push(`the server exited with ${exitCode}`)
        if (!server.log.some(({ level, msg }) => level === 'fatal' && msg.includes('did not confirm')))
          faults.push('the server did not log why it stopped')
        return start()
      },
      faultStats,
    )
    return [...faults, ...found]
  } finally {
    folder.remove()
  }
}

/** Fills a folder, injects a fault, and checks that every acknowledged write is stored exactly once and completely. */
async function runOnFolder(
  data: string,
  plan: Pick<Plan, 'seed'> & { readonly isHeavy: boolean },
  applyFault: (
    load: WriteLoad,
    workspaces: readonly WorkspaceCredentials[],
    start: Start,
  ) => Promise<RunningServer>,
  faultStats: FaultStats,
): Promise<string[]> {
  const workspaces = await populate(data, WORKSPACES)
  const load = createWriteLoad(workspaces, WRITERS, seededRandom(plan.seed), { isHeavy: plan.isHeavy })
  const { ledger } = load
  const started: RunningServer[] = []
  const start: Start = async (program = BINARY) => {
    const server = await startServer({ dataDir: data, program, env: LOAD_SERVER_ENV })
    started.push(server)
    return server
  }
  try {
    const server = await applyFault(load, workspaces, start)
    await load.retryPending(server.url)
    const stateDifferences = await findStateDifferences(server.url, ledger)
    const exitCode = await server.stop()
    const checkResult = await checkDataFolder(data, ledger.acknowledged)
    faultStats.acknowledged += ledger.acknowledged.length
    faultStats.unavailable += ledger.unavailable
    faultStats.lost += checkResult.lost.length
    faultStats.duplicated += checkResult.duplicated.length
    return [
      ...summarizeFindings('acknowledged writes lost', checkResult.lost),
      ...summarizeFindings('writes duplicated', checkResult.duplicated),
      ...summarizeFindings('unexpected responses', ledger.unexpectedResponses),
      ...summarizeFindings('records differ from their responses', stateDifferences),
      ...checkResult.faults,
      ...(exitCode === 0 ? [] : [`the server exited with ${exitCode} afterwards`]),
    ]
  } finally {
    for (const server of started) {
      server.signal('SIGKILL')
      await server.exited
    }
  }
}

/** Sends ban checks continuously; each must succeed. */
async function readRepeatedly(
  server: RunningServer,
  workspaces: readonly WorkspaceCredentials[],
  load: WriteLoad,
  faultStats: FaultStats,
  isDone: () => boolean,
): Promise<void> {
  const connection = openConnection(server.url)
  for (let index = 0; !isDone(); index++) {
    const workspace = workspaces[index % workspaces.length] as WorkspaceCredentials
    const path = `/api/moderation?workspaceId=${workspace.workspaceId}&banList=true&userId=w5-0`
    const { status, body } = await connection.request({
      method: 'GET',
      path,
      headers: createAuthHeaders(workspace, 'key'),
    })
    if (status !== 200 || !Array.isArray(body?.bans))
      load.ledger.unexpectedResponses.push(`a read returned ${status}`)
    if (load.ledger.unavailable > 0) faultStats.readsDuringFault += 1
  }
  connection.close()
}
