import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const STRACE = '/usr/bin/strace'

/** An operation of a process on one file of a folder. */
export type FileOperation = {
  /** File name in the folder; `.` for the folder itself. */
  readonly file: string
  /** Epoch milliseconds. */
  readonly at: number
} & (
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'sync' | 'create' | 'remove' }
)

const TRACED_SYSCALLS =
  'pwrite64,write,pwritev,writev,ftruncate,fallocate,fsync,fdatasync,unlink,rename,openat'

/** Wraps a program in strace so that the spawned process is the program. */
export function withStrace(options: readonly string[], program: readonly string[]): string[] {
  if (!existsSync(STRACE)) {
    throw new Error(`This needs strace as ${STRACE}: on Debian, \`apt-get install strace\` as root.`)
  }
  return [STRACE, '-D', '-f', '--seccomp-bpf', ...options, '--', ...program]
}

const traceFilters = (folder: string): string[] =>
  ['', '/reeve.db', '/reeve.db-wal'].flatMap((file) => ['-P', `${folder}${file}`])

/** A program whose writes and syncs on the database of a data folder are logged. */
export function traceWrites(folder: string, program: readonly string[]) {
  const logs = mkdtempSync(join(tmpdir(), 'reeve-strace-'))
  const options = ['-ff', '-ttt', '-T', '-y', '-xx', '-s', '1048576', '-e', `trace=${TRACED_SYSCALLS}`]
  return {
    program: withStrace([...options, ...traceFilters(folder), '-o', join(logs, 'log')], program),
    /** The operations in order, once the process has exited. */
    readOperations: (): FileOperation[] =>
      readdirSync(logs)
        .flatMap((name) => readFileSync(join(logs, name), 'latin1').split('\n'))
        .map((line) => parseTraceLine(line, folder))
        .filter((step) => step !== null)
        .sort((first, second) => first.at - second.at),
    remove: () => rmSync(logs, { recursive: true, force: true }),
  }
}

/** A program whose system calls of a kind fail with `error` on one file of its data folder; `when` selects the calls. */
export const withFailingSyscall = (
  folder: string,
  { file, syscall, error, when }: { file: string; syscall: string; error: string; when: string },
  program: readonly string[],
): string[] =>
  withStrace(
    [
      ...['-qq', '-o', '/dev/null', '-P', join(folder, file)],
      ...['-e', `trace=${syscall}`, '-e', `inject=${syscall}:error=${error}:when=${when}`],
    ],
    program,
  )

export const decodeHex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')

const extractQuoted = (text: string): string => text.slice(text.indexOf('"') + 1, text.lastIndexOf('"'))

/** Parses a line such as `1795246811.239883 fsync(8</data/reeve.db-wal>) = 0 <0.000458>`, with strings in hex; null if it changed nothing. */
function parseTraceLine(line: string, folder: string): FileOperation | null {
  const argsStart = line.indexOf('(')
  const argsEnd = line.lastIndexOf(') = ')
  if (argsStart < 0 || argsEnd < 0) return null
  const [time = '', syscall = ''] = line.slice(0, argsStart).split(' ')
  const result = Number.parseInt(line.slice(argsEnd + 4), 10)
  // `= ?`: the process exited during the call.
  const isInterrupted = line.slice(argsEnd + 4).startsWith('?')
  if (isInterrupted ? !syscall.startsWith('pwrite') : !(result >= 0)) return null
  const args = line.slice(argsStart + 1, argsEnd)
  const at = Number(time) * 1000
  if (syscall === 'openat') {
    if (!args.includes('O_CREAT')) return null
    return { kind: 'create', at, file: toFileName(decodeHex(extractQuoted(args)).toString(), folder) }
  }
  if (syscall === 'unlink')
    return { kind: 'remove', at, file: toFileName(decodeHex(extractQuoted(args)).toString(), folder) }
  const path = decodeHex(args.slice(args.indexOf('<') + 1, args.indexOf('>'))).toString()
  const file = toFileName(path, folder)
  const otherArgs = args.slice(args.indexOf('>') + 1)
  if (syscall === 'fsync' || syscall === 'fdatasync') return { kind: 'sync', at, file }
  const lastArg = Number(otherArgs.slice(otherArgs.lastIndexOf(',') + 1))
  if (syscall === 'ftruncate') return { kind: 'truncate', at, file, size: lastArg }
  if (syscall === 'pwrite64') {
    const requestedBytes = decodeHex(extractQuoted(otherArgs))
    // The result of an interrupted write is read from its file.
    const bytes = isInterrupted
      ? readFileSync(path).subarray(lastArg, lastArg + requestedBytes.length)
      : requestedBytes.subarray(0, result)
    return { kind: 'write', at, file, offset: lastArg, bytes }
  }
  throw new Error(`${syscall} on ${path}: the replay does not support it`)
}

const toFileName = (path: string, folder: string): string => (path === folder ? '.' : basename(path))

/**
 * A program that is killed just before its `when`-th call of a kind, counted per thread. Without the kernel filter: strace 6.1
 * does not deliver signals with it.
 */
export const withKillAtSyscall = (
  syscall: string,
  callNumber: number,
  program: readonly string[],
): string[] => [
  ...[STRACE, '-D', '-f', '-qq', '-o', '/dev/null'],
  ...['-e', `trace=${syscall}`, '-e', `inject=${syscall}:signal=SIGKILL:when=${callNumber}`, '--'],
  ...program,
]
