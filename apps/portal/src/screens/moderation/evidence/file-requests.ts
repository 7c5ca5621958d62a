import { api, assertCanWrite, ifMatch, unwrap } from '../../../api/client.ts'
import { ApiError, createNetworkError, parseErrorResponse } from '../../../api/error.ts'
import { handleSessionError } from '../../../api/session-expiry.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { invalidateModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'

const PATH = '/portal/api/moderation/evidence-files'

/** A file of a record. */
export type EvidenceFile = ModerationRecord['evidenceFiles'][number]

/**
 * Sends a file to a record, or without its `id` for one that is created with the file. `fetch` does not tell how much has been sent.
 * @param onProgress receives the sent share, 0 to 1
 * @returns the ID of the file
 * @throws ApiError
 */
export async function uploadFile(
  query: { readonly workspaceId: string; readonly id?: string },
  file: File,
  onProgress: (share: number) => void,
): Promise<string> {
  await assertCanWrite()
  const request = new XMLHttpRequest()
  request.open('POST', `${PATH}?${new URLSearchParams({ ...query, name: file.name })}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(total, 1))
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(createNetworkError())
    request.onload = async () => {
      const { status, responseText } = request
      if (status === 200) return resolve((JSON.parse(responseText) as { file: { id: string } }).file.id)
      const retryAfter = request.getResponseHeader('retry-after')
      const headers = retryAfter === null ? {} : { 'retry-after': retryAfter }
      const error = await parseErrorResponse(
        new Response(responseText, { status: status || 502, headers }),
        'write',
      )
      handleSessionError(error)
      reject(explainFileError(error))
    }
    request.send(file)
  })
}

/** The name of the field is for programs: next to the name of the file, the message alone is a sentence. */
function explainFileError(error: ApiError): ApiError {
  const problem = error.details.find(({ field }) => field === 'file')
  if (problem === undefined) return error
  return new ApiError(error.status, error.code, `This file ${problem.message}.`)
}

/** The content of a file. No other part of the browser can open its URL: the response is an attachment in a sandbox. @throws ApiError */
export async function readFile(workspaceId: string, { id, type }: EvidenceFile): Promise<Blob> {
  const query = new URLSearchParams({ workspaceId, fileId: id })
  const response = await fetch(`${PATH}?${query}`, { cache: 'no-store' }).catch(() => {
    throw createNetworkError()
  })
  if (!response.ok) {
    const error = await parseErrorResponse(response, 'read')
    handleSessionError(error)
    throw error
  }
  const bytes = await response.arrayBuffer().catch(() => {
    throw createNetworkError()
  })
  return new Blob([bytes], { type })
}

/** Saves a file under its name. @throws ApiError */
export async function saveFile(workspaceId: string, file: EvidenceFile): Promise<void> {
  const bytes = await (await readFile(workspaceId, file)).arrayBuffer()
  // Not of its type, so that no browser opens it instead.
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Removes a file from a record. @throws ApiError */
export async function removeFile(
  workspaceId: string,
  { id, version }: ModerationRecord,
  fileId: string,
): Promise<void> {
  await withExplainedErrors(workspaceId, () =>
    unwrap(api.DELETE(PATH, { params: { query: { workspaceId, id, fileId } }, headers: ifMatch(version) })),
  )
  await invalidateModeration(workspaceId)
}
