import { createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const INIT = ['init', '--username', 'robin', '--password-stdin', '--group-name', 'Owls', '--key-name', 'k']
const LIMITS = { REEVE_KEY_RATE_PER_MINUTE: '0', REEVE_WORKSPACE_JOBS_PER_DAY: '0' }

/** An instance of one or several processes, which can be killed and restored. */
export interface Deployment {
  readonly workspaceId: string
  readonly apiKey: string
  /** The URLs of the running servers. */
  readonly listUrls: () => readonly string[]
  /** Kills a server as a crash does, and starts it again. */
  readonly kill: (index: number) => Promise<void>
  /** Makes a backup, and remembers it for `restore`. */
  readonly backUp: () => Promise<void>
  /** Restores the last backup. @returns false if there is none */
  readonly restore: () => Promise<boolean>
  readonly close: () => Promise<void>
}

interface Storage {
  readonly env: () => Readonly<Record<string, string>>
  readonly isBackupOnline: boolean
  readonly backUp: () => Promise<void>
  readonly restore: () => Promise<void>
  readonly remove: () => Promise<void>
}

async function openDeployment(processes: number, dataDir: string, storage: Storage): Promise<Deployment> {
  const start = () => startServer({ dataDir, env: { ...LIMITS, ...storage.env() } })
  const created = await runReeve([...INIT, '--json'], { dataDir, env: storage.env(), stdin: PASSWORD })
  const { workspaceId, apiKey } = JSON.parse(created.out)
  let servers: RunningServer[] = []
  const startAll = async () => {
    servers = await Promise.all(Array.from({ length: processes }, start))
  }
  const stopAll = () => Promise.all(servers.map((server) => server.stop()))
  let hasBackup = false
  await startAll()
  return {
    workspaceId,
    apiKey,
    listUrls: () => servers.map(({ url }) => url),
    async kill(index) {
      const server = servers[index] as RunningServer
      server.signal('SIGKILL')
      await server.exited
      servers[index] = await start()
    },
    async backUp() {
      if (!storage.isBackupOnline) await stopAll()
      await storage.backUp()
      if (!storage.isBackupOnline) await startAll()
      hasBackup = true
    },
    async restore() {
      if (!hasBackup) return false
      await stopAll()
      await storage.restore()
      await startAll()
      return true
    },
    async close() {
      await stopAll()
      await storage.remove()
    },
  }
}

/** One process with a data folder, whose backups are those of `reeve backup`. */
export async function openSqliteDeployment(): Promise<Deployment> {
  const folder = temporaryFolder()
  const run = async (...args: string[]) => {
    const { out, err, exitCode } = await runReeve([...args, '--json'], { dataDir: folder.data })
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${err}`)
    return JSON.parse(out)
  }
  let file = ''
  return openDeployment(1, folder.data, {
    env: () => ({}),
    isBackupOnline: true,
    async backUp() {
      file = (await run('backup')).file
    },
    async restore() {
      await run('restore', '--from', file)
    },
    remove: async () => folder.remove(),
  })
}

/** Three processes with one PostgreSQL database. Restoring a dump creates another database, as copying one does. */
export async function openPostgresDeployment(): Promise<Deployment> {
  const folder = temporaryFolder()
  const databases = [await createDatabase('template1')]
  const getName = (url: string) => new URL(url).pathname.slice(1)
  /** Copies a database that nobody uses. */
  async function copy(from: string): Promise<string> {
    const url = new URL(from)
    url.pathname = `/${getName(from)}_${databases.length}`
    const server = new URL(from)
    server.pathname = '/postgres'
    await queryServer(server.href, `create database ${getName(url.href)} template ${getName(from)}`)
    databases.push(url.href)
    return url.href
  }
  let current = databases[0] as string
  let backup = ''
  return openDeployment(3, folder.data, {
    env: () => ({ REEVE_DATABASE_URL: current }),
    isBackupOnline: false,
    async backUp() {
      backup = await copy(current)
    },
    async restore() {
      current = await copy(backup)
    },
    async remove() {
      for (const url of databases) await dropDatabase(url)
      folder.remove()
    },
  })
}
