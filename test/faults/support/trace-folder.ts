import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeHex, withStrace } from './strace.ts'

/** An operation of a process on a file or folder in a folder. Paths are absolute. */
export type FolderOperation = {
  readonly path: string
  /** Epoch milliseconds. */
  readonly at: number
} & (
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'link' | 'rename'; readonly from: string }
  | { readonly kind: 'create' | 'create folder' | 'remove' | 'sync' }
)

const SYSCALLS = [
  ...['pwrite64', 'write', 'ftruncate', 'fsync', 'fdatasync', 'openat', 'open', 'mkdir', 'mkdirat'],
  ...['unlink', 'unlinkat', 'rmdir', 'rename', 'renameat', 'renameat2', 'link', 'linkat'],
  // The replay does not support these, so it must notice them.
  ...['pwritev', 'pwritev2', 'writev', 'fallocate', 'truncate', 'copy_file_range', 'sendfile'],
]

/** A program whose operations on everything in a folder are logged. */
export function traceFolder(root: string, program: readonly string[]) {
  const logs = mkdtempSync(join(tmpdir(), 'reeve-strace-'))
  const options = ['-ff', '-ttt', '-y', '-xx', '-s', '4194304', '-e', `trace=${SYSCALLS.join()}`]
  return {
    program: withStrace([...options, '-o', join(logs, 'log')], program),
    /** The operations in order, once the process has exited. */
    readOperations(): FolderOperation[] {
      const parse = createParser(root)
      return readdirSync(logs)
        .flatMap((name) => readFileSync(join(logs, name), 'latin1').split('\n'))
        .filter((line) => / = \d/.test(line))
        .sort((first, second) => Number.parseFloat(first) - Number.parseFloat(second))
        .flatMap(parse)
    },
    remove: () => rmSync(logs, { recursive: true, force: true }),
  }
}

const LINE = /^(\d+\.\d+) (\w+)\((.*)\) = (\d+)/

/** Returns a function that parses a line such as `1795246811.239883 fsync(8</data/reeve.db-wal>) = 0`, with paths and texts in hex. */
function createParser(root: string): (line: string) => FolderOperation[] {
  /** Where the next `write` to a file goes. */
  const positions = new Map<string, number>()
  const isInside = (path: string) => path === root || path.startsWith(`${root}/`)
  return (line) => {
    const [, time = '', syscall = '', args = '', result = ''] = LINE.exec(line) ?? []
    const at = Number(time) * 1000
    const names = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => decodeHex(hex))
    const file = decodeHex(/^\d+<([^>]*)>/.exec(args)?.[1] ?? '').toString()
    const [first = '', second = ''] = names.map(String)
    const path = /^(openat|open|mkdir|mkdirat|unlink|unlinkat|rmdir)$/.test(syscall) ? first : file
    const isPair = /^(rename|link)/.test(syscall)
    if (!(isPair ? isInside(first) || isInside(second) : isInside(path))) return []
    switch (syscall.replace(/at2?$/, '')) {
      case 'open':
        positions.set(path, 0)
        return [
          ...(args.includes('O_CREAT') ? [{ kind: 'create' as const, at, path }] : []),
          ...(args.includes('O_TRUNC') ? [{ kind: 'truncate' as const, at, path, size: 0 }] : []),
        ]
      case 'mkdir':
        return [{ kind: 'create folder', at, path }]
      case 'unlink':
      case 'rmdir':
        return [{ kind: 'remove', at, path }]
      case 'rename':
        return [{ kind: 'rename', at, path: second, from: first }]
      case 'link':
        return [{ kind: 'link', at, path: second, from: first }]
      case 'fsync':
      case 'fdatasync':
        return [{ kind: 'sync', at, path }]
      case 'ftruncate':
        return [{ kind: 'truncate', at, path, size: Number(args.slice(args.lastIndexOf(',') + 1)) }]
      case 'pwrite64':
      case 'write': {
        const bytes = (names[0] as Buffer).subarray(0, Number(result))
        const offset =
          syscall === 'write' ? (positions.get(path) ?? 0) : Number(args.slice(args.lastIndexOf(',') + 1))
        if (syscall === 'write') positions.set(path, offset + bytes.length)
        return [{ kind: 'write', at, path, offset, bytes }]
      }
      default:
        throw new Error(`${syscall} on ${path}: the replay does not support it`)
    }
  }
}
