import type { AppContext } from '@reeve/auth'
import { type Actor, AppError, evidenceMediaTypes } from '@reeve/core'
import type { EvidenceFileTable } from '@reeve/db'
import { requireRecord } from '../records/record-store.ts'
import { readContent, requireContent } from './content.ts'
import { parseEvidenceFiles, type StoredEvidenceFile } from './stored-files.ts'

/** Headers with which no browser opens a file as a page, runs anything in it, or gives it to another site. */
const FILE_HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  // Browsers refuse to show a sandboxed document that has a policy for its opener.
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  // Evidence stays in no cache of a shared computer.
  'cache-control': 'private, no-store',
}

/** `attachment` with a name for browsers of today, and one of ASCII for others. Source: RFC 6266, section 4.3 */
function toDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

async function requireFile(
  { db }: Pick<AppContext, 'db'>,
  actor: Actor,
  id: string,
): Promise<{ file: StoredEvidenceFile; content: EvidenceFileTable }> {
  const content = await requireContent(db.read, { workspaceId: actor.workspaceId, id })
  const record = content.record_id && (await requireRecord(db.read, actor, content.record_id))
  const file = record && parseEvidenceFiles(record).find((listed) => listed.id === id)
  if (!file) throw new AppError('not_found', { message: 'There is no such file.' })
  return { file, content }
}

/**
 * Opens a file of a record for download.
 * @param id the ID of the file
 * @throws AppError `not_found`; `unavailable` if the store does not respond
 */
export async function downloadEvidenceFile(
  context: Pick<AppContext, 'db' | 'evidence'>,
  actor: Actor,
  id: string,
): Promise<Response> {
  const { file, content } = await requireFile(context, actor, id)
  const chunks = readContent(context.db.read, context.evidence, content)
  // After the first byte is sent, an error response is no longer possible.
  const first = await chunks.next()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (!first.done) controller.enqueue(first.value)
    },
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      ...FILE_HEADERS,
      'content-type': evidenceMediaTypes[file.type],
      'content-length': String(file.size),
      'content-disposition': toDisposition(file.name),
    },
  })
}
