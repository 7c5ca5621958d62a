import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { join } from 'node:path'
import { PASSWORD } from '../support/instance.ts'
import { type CommandResult, runReeve } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, runInFolder } from './commands.ts'

/** The output of `backup --json`. */
export interface BackupReport {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly takenAt: string
  readonly holds: { workspaces: number; accounts: number; records: number }
  readonly faults: string[]
  readonly removed: string[]
}

/** The names of the accounts in a database. */
export function listAccounts(file: string): string[] {
  const engine = new Database(file, { readonly: true })
  const names = engine
    .prepare<{ username: string }, []>('select username from account order by username')
    .all()
  engine.close()
  return names.map(({ username }) => username)
}

/** An instance with one account, and helpers for its backups. */
export async function openBackupFixture() {
  const folder = temporaryFolder()
  await runInFolder(folder, INIT_ARGS, PASSWORD)

  const run = (
    args: string[],
    env: Record<string, string> = {},
    dataDir = folder.data,
  ): Promise<CommandResult> => runReeve(args, { dataDir, env })

  async function createBackup(...args: string[]): Promise<BackupReport> {
    const { exitCode, out, err } = await run(['backup', ...args, '--json'])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    return JSON.parse(out) as BackupReport
  }

  /** Adds an account, so that the data folder differs from earlier backups. */
  const addAccount = (username: string) =>
    runInFolder(folder, ['user', 'create', '--username', username, '--password-stdin'], PASSWORD)
  const accounts = (): string[] => listAccounts(join(folder.data, 'reeve.db'))

  /** Changes the database without Reeve. */
  function executeSql(sql: string, file = join(folder.data, 'reeve.db')): void {
    const engine = new Database(file)
    engine.run(sql)
    engine.close()
  }

  /** Runs the doctor. @returns the findings that are not ok */
  async function findings(env: Record<string, string> = {}) {
    const { out, exitCode } = await run(['doctor', '--json'], env)
    const { findings } = JSON.parse(out) as {
      findings: { check: string; verdict: string; found: string }[]
    }
    return { exitCode, failedFindings: findings.filter(({ verdict }) => verdict !== 'ok') }
  }

  return {
    folder,
    /** The default backup folder. */
    backupsDir: `${folder.data}-backups`,
    run,
    createBackup,
    addAccount,
    accounts,
    executeSql,
    findings,
  }
}

export type BackupFixture = Awaited<ReturnType<typeof openBackupFixture>>
