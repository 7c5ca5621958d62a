import { Database } from 'bun:sqlite'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '@reeve/db'
import { temporaryFolder } from '../support/folder.ts'
import { BINARY, type Ended, reeve, serve } from '../support/program.ts'
import type { Outcome } from './support/fault.ts'
import { populate } from './support/population.ts'

/** Nobody, on every Linux. Source: kernel.overflowuid */
const NOBODY = 65_534

/** Every byte in a folder, but for what a lock and the memory of readers leave; an empty log holds none. */
function bytesIn(folder: string): string {
  if (!existsSync(folder)) return 'nothing'
  return readdirSync(folder)
    .filter((name) => !/\.lock$|-shm$|\.sock$/.test(name))
    .filter((name) => !name.endsWith('-wal') || statSync(join(folder, name)).size > 0)
    .sort()
    .map(
      (name) =>
        `${name} ${new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, name))).digest('hex')}`,
    )
    .join('\n')
}

interface Case {
  readonly title: string
  /** Makes the folder what it is; what it returns is undone afterwards. */
  readonly prepare: (folder: string) => Promise<(() => Promise<unknown>) | undefined>
  /** What the sentence must say. */
  readonly says: RegExp
  readonly asNobody?: true
}

const cases: readonly Case[] = [
  {
    title: 'an older program on newer data',
    says: /newer Reeve \(it has 9999-later\).*nothing was changed/,
    async prepare(folder) {
      alter(folder, "insert into migration (name, applied_at) values ('9999-later', 0)")
      return undefined
    },
  },
  {
    title: 'an older program on newer data that a killed server left in the log',
    says: /newer Reeve/,
    async prepare(folder) {
      const copy = `${folder}-killed`
      const engine = new Database(databasePath(folder))
      engine.run("insert into migration (name, applied_at) values ('9999-later', 0)")
      cpSync(folder, copy, { recursive: true })
      engine.close()
      rmSync(folder, { recursive: true })
      cpSync(copy, folder, { recursive: true })
      rmSync(copy, { recursive: true })
      rmSync(`${databasePath(folder)}-shm`, { force: true })
      return undefined
    },
  },
  {
    title: 'a second process on one folder',
    says: /Another Reeve process is using/,
    async prepare(folder) {
      const other = await serve({ dataDir: folder, program: BINARY })
      return async () => {
        const { status } = await fetch(`${other.url}/readyz`)
        if (status !== 200) throw new Error('the first process does not answer any more')
        await other.stop()
      }
    },
  },
  {
    title: 'a folder that may not be written to',
    says: /cannot be written to.*REEVE_DATA_DIR/,
    asNobody: true,
    async prepare(folder) {
      chmodSync(folder, 0o755)
      return undefined
    },
  },
  {
    title: 'a folder whose database belongs to somebody else',
    says: /cannot be written to by this user.*chown/,
    asNobody: true,
    async prepare(folder) {
      chownSync(folder, NOBODY, NOBODY)
      return undefined
    },
  },
  {
    title: "a folder with strangers' files",
    says: /holds other files \(thesis\.odt\)/,
    async prepare(folder) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      writeFileSync(join(folder, 'thesis.odt'), 'mine')
      return undefined
    },
  },
  {
    title: 'a folder that has lost its database',
    says: /reeve\.db is missing\. Put the file or a backup/,
    async prepare(folder) {
      for (const end of ['', '-wal', '-shm']) rmSync(`${databasePath(folder)}${end}`, { force: true })
      return undefined
    },
  },
  {
    title: 'a database that is none',
    says: /not a database/,
    async prepare(folder) {
      writeFileSync(databasePath(folder), 'this is no database, however long it is '.repeat(1000))
      return undefined
    },
  },
]

function alter(folder: string, sql: string): void {
  const engine = new Database(databasePath(folder))
  engine.run(sql)
  engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  engine.close()
}

/** Starts a server where it must be refused, in a sentence, and looks whether a byte of the folder changed. */
export async function refusals(): Promise<Outcome> {
  const isRoot = process.getuid?.() === 0
  const broken: string[] = []
  const figures = { refused: 0, 'not tried, for want of rights': 0 }
  for (const one of cases) {
    if (one.asNobody && !isRoot) {
      figures['not tried, for want of rights'] += 1
      continue
    }
    const folder = temporaryFolder()
    try {
      await populate(folder.data, 1)
      const undo = await one.prepare(folder.data)
      chmodSync(folder.path, 0o755)
      const before = bytesIn(folder.data)
      const ended = await start(folder.data, one.asNobody ?? false)
      if (ended.exitCode !== 1 || ended.out !== '' || !one.says.test(ended.err)) {
        broken.push(`${one.title}: ended with ${ended.exitCode}: ${ended.err}${ended.out}`)
      }
      if (bytesIn(folder.data) !== before) broken.push(`${one.title}: something was written`)
      figures.refused += 1
      await undo?.()
    } finally {
      folder.remove()
    }
  }
  return { figures, broken }
}

/** Long past every refusal, in seconds: who serves on is ended, and told of. */
const PATIENCE_S = 10

const start = (dataDir: string, asNobody: boolean): Promise<Ended> =>
  reeve(['serve', '--port', '0'], {
    dataDir,
    program: [
      ...['timeout', '--signal=KILL', `${PATIENCE_S}`],
      ...(asNobody ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []),
      ...BINARY,
    ],
  })
