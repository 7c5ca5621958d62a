import { type ImageName, type ImageStore, imageMediaTypes } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import {
  BucketError,
  type BucketRequest,
  type BucketSettings,
  createBucketClient,
  toDigestHeader,
} from '../s3/client.ts'
import { throwUnavailable } from './evidence-store.ts'

/** The object that `reeve doctor` writes, reads and deletes. */
const PROBE_KEY = 'reeve-doctor.txt'

export interface BucketStore extends ImageStore {
  /** Writes, reads and deletes an object of a few bytes. @throws Error with the cause and without secrets */
  readonly probe: () => Promise<void>
}

/**
 * Stores images in a bucket. The object name is the hash of the content, so equal images share an object, and objects are
 * never overwritten with other content.
 */
export function createBucketStore(settings: BucketSettings, timeoutMs?: number): BucketStore {
  const client = createBucketClient(settings, timeoutMs)
  const load = async (object: string) => (await client.send({ method: 'GET', object })).bytes

  return {
    async save(name, bytes) {
      await client
        .send(toUpload(toObjectKey(name), bytes, imageMediaTypes[name.extension]))
        .catch(throwUnavailable(WRITE_FAILED))
      return null
    },
    async load(name) {
      const bytes = await load(toObjectKey(name)).catch(throwUnavailable(READ_FAILED))
      if (sha256Hex(bytes) === name.hash) return bytes
      return throwUnavailable(READ_FAILED)(
        new BucketError(`the content of object ${toObjectKey(name)} does not match its hash`),
      )
    },
    async remove(name) {
      await client
        .send({ method: 'DELETE', object: toObjectKey(name) })
        .catch(throwUnavailable(DELETE_FAILED))
      return true
    },
    async probe() {
      const bytes = Buffer.from(crypto.randomUUID())
      await client.send(toUpload(PROBE_KEY, bytes, 'text/plain'))
      if (!bytes.equals(await load(PROBE_KEY)))
        throw new BucketError('an object read back differs from what was written')
      await client.send({ method: 'DELETE', object: PROBE_KEY })
    },
  }
}

const toUpload = (object: string, body: Uint8Array, type: string): BucketRequest => ({
  method: 'PUT',
  object,
  body,
  headers: { 'content-type': type, ...toDigestHeader(body) },
})

const toObjectKey = ({ hash, extension }: ImageName): string => `${hash}.${extension}`

const WRITE_FAILED = 'The image store is currently unavailable. Nothing was changed. Try again.'
const DELETE_FAILED = 'The image store is currently unavailable. Nothing was deleted.'
const READ_FAILED = 'The image store is currently unavailable. Try again.'
