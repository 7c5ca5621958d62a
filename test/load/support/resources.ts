import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { queryServer } from '@reeve/db/test-cluster'

/** Resident memory of a process in bytes. */
export interface Memory {
  /** The peak of all resident pages, as the kernel counts it. */
  readonly peak: number
  /** The peak without pages of files, such as the memory-mapped database, which the kernel can drop at any time. */
  readonly withoutFiles: number
}

const SAMPLE_MS = 50

/** Fields of /proc/<pid>/status. Source: proc_pid_status(5) */
function readStatusBytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
}

/** The resident pages of a process at the moment, in bytes. */
export const readResidentMemory = (pid: number): number => readStatusBytes(pid, 'VmRSS')

/** Watches the memory of a process until `stop`, which must be called before it exits. */
export function watchMemory(pid: number): { readonly stop: () => Memory } {
  let withoutFiles = 0
  let peak = 0
  const sample = () => {
    try {
      withoutFiles = Math.max(
        withoutFiles,
        readStatusBytes(pid, 'RssAnon') + readStatusBytes(pid, 'RssShmem'),
      )
      peak = Math.max(peak, readStatusBytes(pid, 'VmHWM'))
    } catch {
      // The process has exited; the last sample counts.
    }
  }
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      sample()
      return { peak, withoutFiles }
    },
  }
}

/** The size of all files in a folder. */
function measureFolder(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

/** Bytes on disk: of the folder, and of the database on a server. */
export async function measureDisk(folder: string, databaseUrl: string | null): Promise<number> {
  if (databaseUrl === null) return measureFolder(folder)
  const [row] = await queryServer<{ bytes: string }>(
    databaseUrl,
    'select pg_database_size(current_database()) as bytes',
  )
  return measureFolder(folder) + Number(row?.bytes)
}
