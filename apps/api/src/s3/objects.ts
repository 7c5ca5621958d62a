import { type BucketClient, BucketError } from './client.ts'
import { retryTransient } from './retry.ts'

/** An object of a bucket. */
export interface StoredObject {
  /** Without the prefix of the settings. */
  readonly name: string
  readonly bytes: number
}

/** An upload in parts that was neither completed nor aborted. */
export interface UnfinishedUpload {
  readonly name: string
  readonly uploadId: string
}

/** Lists the objects whose names begin with a text, in the order of their names. @throws BucketError */
export async function listObjects(client: BucketClient, start: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = []
  let continuation: Record<string, string> = {}
  do {
    const xml = await getList(client, { 'list-type': '2', ...toPrefixQuery(client, start), ...continuation })
    for (const entry of findElements(xml, 'Contents'))
      objects.push({ name: readName(client, entry), bytes: Number(findText(entry, 'Size')) })
    const token = findText(xml, 'NextContinuationToken')
    continuation = token === '' ? {} : { 'continuation-token': token }
  } while (continuation['continuation-token'] !== undefined)
  return objects
}

/**
 * Lists the unfinished uploads of objects whose names begin with a text: up to 1,000; none if the store cannot list them.
 * @throws BucketError
 */
export async function listUnfinishedUploads(
  client: BucketClient,
  start: string,
): Promise<UnfinishedUpload[]> {
  const xml = await getList(client, { uploads: '', ...toPrefixQuery(client, start) }).catch((error) => {
    if (error instanceof BucketError && error.code === 'NotImplemented') return ''
    throw error
  })
  return findElements(xml, 'Upload').map((entry) => ({
    name: readName(client, entry),
    uploadId: findText(entry, 'UploadId'),
  }))
}

/** Deletes an object. One that does not exist counts as deleted. @throws BucketError */
export async function deleteObject(client: BucketClient, name: string): Promise<void> {
  await retryTransient(() => client.send({ method: 'DELETE', object: name }))
}

/** Deletes the stored parts of an unfinished upload. @throws BucketError */
export async function abortUpload(client: BucketClient, { name, uploadId }: UnfinishedUpload): Promise<void> {
  await retryTransient(() => client.send({ method: 'DELETE', object: name, query: { uploadId } }))
}

async function getList(client: BucketClient, query: Readonly<Record<string, string>>): Promise<string> {
  const { bytes } = await retryTransient(() => client.send({ method: 'GET', object: null, query }))
  return new TextDecoder().decode(bytes)
}

const toPrefixQuery = ({ settings }: BucketClient, start: string) => ({
  prefix: `${settings.prefix}${start}`,
})

const readName = ({ settings }: BucketClient, entry: string): string =>
  findText(entry, 'Key').slice(settings.prefix.length)

// The lists are flat XML without attributes. Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html

const findElements = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, content = '']) => content)

/** The text of the first element of this name; empty if there is none. */
export const findText = (xml: string, tag: string): string => decodeEntities(findElements(xml, tag)[0] ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#34;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|apos|amp|#34|#39);/g, (entity) => ENTITIES[entity] ?? entity)
