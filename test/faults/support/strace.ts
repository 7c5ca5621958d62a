import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const STRACE = '/usr/bin/strace'

/** What a process did to one file of a folder. */
export type Step = {
  /** Name of the file in the folder; `.` for the folder itself. */
  readonly file: string
  /** Epoch milliseconds. */
  readonly at: number
} & (
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'sync' | 'create' | 'remove' }
)

const WRITING = 'pwrite64,write,pwritev,writev,ftruncate,fallocate,fsync,fdatasync,unlink,rename,openat'

/** Puts a program under strace in such a way that its process is the one that is spawned. */
function traced(options: readonly string[], program: readonly string[]): string[] {
  if (!existsSync(STRACE)) {
    throw new Error(`This needs strace as ${STRACE}: on Debian, \`apt-get install strace\` as root.`)
  }
  return [STRACE, '-D', '-f', '--seccomp-bpf', ...options, '--', ...program]
}

const filesIn = (folder: string): string[] =>
  ['', '/reeve.db', '/reeve.db-wal'].flatMap((file) => ['-P', `${folder}${file}`])

/** A program whose writes and syncs on the database of a data folder are logged. */
export function logWrites(folder: string, program: readonly string[]) {
  const logs = mkdtempSync(join(tmpdir(), 'reeve-strace-'))
  const options = ['-ff', '-ttt', '-T', '-y', '-xx', '-s', '1048576', '-e', `trace=${WRITING}`]
  return {
    program: traced([...options, ...filesIn(folder), '-o', join(logs, 'log')], program),
    /** What was done, in order; once the process has ended. */
    steps: (): Step[] =>
      readdirSync(logs)
        .flatMap((name) => readFileSync(join(logs, name), 'latin1').split('\n'))
        .map((line) => stepIn(line, folder))
        .filter((step) => step !== null)
        .sort((one, other) => one.at - other.at),
    remove: () => rmSync(logs, { recursive: true, force: true }),
  }
}

/** A program whose system calls of a kind fail on one file of its data folder: `error`, at the calls that `when` counts. */
export const failing = (
  folder: string,
  { file, call, error, when }: { file: string; call: string; error: string; when: string },
  program: readonly string[],
): string[] =>
  traced(
    [
      ...['-qq', '-o', '/dev/null', '-P', join(folder, file)],
      ...['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${when}`],
    ],
    program,
  )

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')

const inQuotes = (text: string): string => text.slice(text.indexOf('"') + 1, text.lastIndexOf('"'))

/** A line such as `1795246811.239883 fsync(8</data/reeve.db-wal>) = 0 <0.000458>`, its texts in hex; null where it changed nothing. */
function stepIn(line: string, folder: string): Step | null {
  const open = line.indexOf('(')
  const close = line.lastIndexOf(') = ')
  if (open < 0 || close < 0) return null
  const [time = '', call = ''] = line.slice(0, open).split(' ')
  const result = Number.parseInt(line.slice(close + 4), 10)
  // `= ?`: the end of the process cut it short.
  const isCut = line.slice(close + 4).startsWith('?')
  if (isCut ? !call.startsWith('pwrite') : !(result >= 0)) return null
  const given = line.slice(open + 1, close)
  const at = Number(time) * 1000
  if (call === 'openat') {
    if (!given.includes('O_CREAT')) return null
    return { kind: 'create', at, file: nameIn(unhex(inQuotes(given)).toString(), folder) }
  }
  if (call === 'unlink')
    return { kind: 'remove', at, file: nameIn(unhex(inQuotes(given)).toString(), folder) }
  const path = unhex(given.slice(given.indexOf('<') + 1, given.indexOf('>'))).toString()
  const file = nameIn(path, folder)
  const rest = given.slice(given.indexOf('>') + 1)
  if (call === 'fsync' || call === 'fdatasync') return { kind: 'sync', at, file }
  const last = Number(rest.slice(rest.lastIndexOf(',') + 1))
  if (call === 'ftruncate') return { kind: 'truncate', at, file, size: last }
  if (call === 'pwrite64') {
    const wanted = unhex(inQuotes(rest))
    // What came of a write that was cut short is read off its file.
    const bytes = isCut ? readFileSync(path).subarray(last, last + wanted.length) : wanted.subarray(0, result)
    return { kind: 'write', at, file, offset: last, bytes }
  }
  throw new Error(`${call} on ${path}: the replay does not know it`)
}

const nameIn = (path: string, folder: string): string => (path === folder ? '.' : basename(path))

/**
 * A program that is killed just before its `when`-th call of a kind; each of its threads counts for itself. Without the
 * filter in the kernel: strace 6.1 delivers no signals there.
 */
export const killedAt = (call: string, when: number, program: readonly string[]): string[] => [
  ...[STRACE, '-D', '-f', '-qq', '-o', '/dev/null'],
  ...['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${when}`, '--'],
  ...program,
]
