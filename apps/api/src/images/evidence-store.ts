import { AppError, type EvidenceStore } from '@reeve/core'
import { type BucketClient, createBucketClient, toDigestHeader } from '../s3/client.ts'
import { downloadObject } from '../s3/download.ts'
import type { Config } from '../settings.ts'
import { toImageBucketSettings } from './settings.ts'

/** Timeout of a request with at most 25 MB, in milliseconds: it needs 3.5 Mbit/s. */
const TRANSFER_TIMEOUT_MS = 60_000

const toObjectKey = (id: string): string => `evidence/${id}`

/** Evidence files in the database: nothing is stored elsewhere. */
export const databaseEvidenceStore: EvidenceStore = {
  isExternal: false,
  async save() {
    throw new Error('the database stores evidence files itself')
  },
  load() {
    const error = new AppError('unavailable', {
      message: 'This file is in a bucket that is not configured on this instance.',
    })
    error.cause = new Error('an evidence file is in a bucket, but REEVE_S3_BUCKET is not set')
    throw error
  },
  remove: async () => false,
}

/** Evidence files in the bucket of the images, each named by its ID. Objects are never overwritten with other content. */
export const createBucketEvidenceStore = (
  client: BucketClient,
  timeoutMs = TRANSFER_TIMEOUT_MS,
): EvidenceStore => ({
  isExternal: true,
  async save(id, bytes) {
    // No browser may open the object as a document, even if somebody makes the bucket public.
    const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }
    await client
      .send({
        method: 'PUT',
        object: toObjectKey(id),
        body: bytes,
        headers: { ...headers, ...toDigestHeader(bytes) },
        timeoutMs,
      })
      .catch(throwUnavailable('The file store is currently unavailable. Nothing was changed. Try again.'))
  },
  async *load(id) {
    try {
      // Somebody waits for it and can try again, so a failure is not retried here.
      yield* downloadObject(client, toObjectKey(id), timeoutMs, (attempt) => attempt())
    } catch (error) {
      throwUnavailable('The file store is currently unavailable. Try again.')(error)
    }
  },
  async remove(id) {
    await client
      .send({ method: 'DELETE', object: toObjectKey(id) })
      .catch(throwUnavailable('The file store is currently unavailable. Nothing was deleted.'))
    return true
  },
})

/** The store of evidence files that the settings select. */
export function createEvidenceStore(config: Config): EvidenceStore {
  const settings = toImageBucketSettings(config)
  return settings === null ? databaseEvidenceStore : createBucketEvidenceStore(createBucketClient(settings))
}

/** Converts a store failure to `unavailable`. The cause goes to the log only. */
export const throwUnavailable =
  (message: string) =>
  (error: unknown): never => {
    const unavailable = new AppError('unavailable', { message, headers: { 'retry-after': '1' } })
    unavailable.cause = error
    throw unavailable
  }
