import { MAX_EVIDENCE_FILE_BYTES } from '@reeve/core'
import { getErrorMessage, UserError } from '../../../api/error.ts'
import { createStore } from '../../../app/store.ts'
import { notifyError } from '../../../components/toast.tsx'
import { formatBytes } from '../../../format/number.ts'
import { invalidateModeration } from '../mutations.ts'
import { uploadFile } from './file-requests.ts'

/** A file that is being sent to a record, waits for that, or was rejected. */
export interface Upload {
  readonly key: number
  readonly workspaceId: string
  readonly recordId: string
  readonly file: File
  /** The sent share, 0 to 1. */
  readonly progress: number
  /** Why it was not attached; null until it fails. */
  readonly problem: string | null
}

/** The uploads of all records, so that they go on while staff look at other screens. */
const uploads = createStore<readonly Upload[]>([])
let nextKey = 0
let isRunning = false

/** The unfinished uploads of a record. */
export const useUploads = (recordId: string): readonly Upload[] =>
  uploads.useValue().filter((upload) => upload.recordId === recordId)

const update = (key: number, change: Partial<Upload>) =>
  uploads.set(uploads.get().map((upload) => (upload.key === key ? { ...upload, ...change } : upload)))

/** Removes an upload from the list. One that is being sent continues. */
export const dismissUpload = (key: number): void =>
  uploads.set(uploads.get().filter((upload) => upload.key !== key))

/** Why a file cannot be sent; null if the server decides. */
export function checkFile({ size }: File): string | null {
  if (size === 0) return 'This file is empty.'
  if (size > MAX_EVIDENCE_FILE_BYTES)
    return `This file has ${formatBytes(size)}. The limit is ${formatBytes(MAX_EVIDENCE_FILE_BYTES)}: shorten the video, or add a link to it.`
  return null
}

/** Sends files to a record one after the other. Their progress and errors are on its page. */
export function startUploads(workspaceId: string, recordId: string, files: readonly File[]): void {
  const added = files.map((file) => ({
    key: nextKey++,
    workspaceId,
    recordId,
    file,
    progress: 0,
    problem: checkFile(file),
  }))
  uploads.set([...uploads.get(), ...added])
  void run()
}

/** The IDs of files that are sent, so that a retry of the action sends none again. */
const sentIds = new WeakMap<File, string>()

/** Sends files for a record that is created with them. @returns their IDs @throws ApiError for the first that is rejected */
export async function sendFilesFirst(workspaceId: string, files: readonly File[]): Promise<string[]> {
  const ids: string[] = []
  for (const file of files) {
    const problem = checkFile(file)
    if (problem !== null) throw new UserError(`${file.name}: ${problem}`)
    const id = sentIds.get(file) ?? (await uploadFile({ workspaceId }, file, () => {}))
    sentIds.set(file, id)
    ids.push(id)
  }
  return ids
}

/** Sends a file again that failed. */
export function retryUpload(key: number): void {
  update(key, { problem: null, progress: 0 })
  void run()
}

async function run(): Promise<void> {
  if (isRunning) return
  isRunning = true
  for (;;) {
    const upload = uploads.get().find(({ problem }) => problem === null)
    if (upload === undefined) break
    await send(upload)
  }
  isRunning = false
}

async function send({ key, workspaceId, recordId, file }: Upload): Promise<void> {
  try {
    await uploadFile({ workspaceId, id: recordId }, file, (progress) => update(key, { progress }))
    await invalidateModeration(workspaceId)
    dismissUpload(key)
  } catch (error) {
    update(key, { problem: getErrorMessage(error) })
    // Where the list of uploads is not on the screen.
    if (!location.pathname.endsWith(recordId))
      notifyError(new UserError(`${file.name} was not attached. ${getErrorMessage(error)}`))
  }
}

// A file that was not sent can only be tried again while the page has it.
window.addEventListener('beforeunload', (event) => {
  if (uploads.get().length > 0) event.preventDefault()
})
