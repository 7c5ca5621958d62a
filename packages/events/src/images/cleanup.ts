import {
  DAY_MS,
  HOUR_MS,
  type ImageExtension,
  type ImageName,
  type ImageStore,
  type Ports,
  toImagePath,
} from '@reeve/core'
import {
  type Database,
  insertAll,
  type Queries,
  type Sql,
  statement,
  type UnusedImageTable,
  yieldToEventLoop,
} from '@reeve/db'

/** How long an image stays after nothing refers to it any more. */
const GRACE_MS = DAY_MS
/** In the last part of it, nothing can refer to the image again: longer than any transaction, and clocks differ. */
const MARGIN_MS = HOUR_MS

/** Whether an image that was found unused at this time may be deleted any moment. */
export const isAboutToBeDeleted = (foundAt: number, now: number): boolean =>
  foundAt <= now - (GRACE_MS - MARGIN_MS)

/** Images per step: a few milliseconds. */
const SLICE_ROWS = 100

// Without locks, so that images do not make workspaces wait for each other: the row of table `unused_image` is the lock.
const withoutLock = { isLookup: true, isCommutative: true } as const

const eventByImage = statement<{ imageUrl: string }>(withoutLock)((sql, p) =>
  sql.selectFrom('event').select('id').where('image_url', '=', p.imageUrl).limit(1),
)
const archiveByImage = statement<{ hash: string }>(withoutLock)((sql, p) =>
  sql.selectFrom('archive_image').select('archive_id').where('hash', '=', p.hash).limit(1),
)
const selectImages = (sql: Sql) =>
  sql.selectFrom('media').select((eb) => ['hash', 'extension', eb('bytes', 'is', null).as('is_external')])
const imagesAfter = statement<{ after: string; limit: number }>()((sql, p) =>
  selectImages(sql).where('hash', '>', p.after).orderBy('hash').limit(p.limit),
)
const imageByHash = statement<{ hash: string }>(withoutLock)((sql, p) =>
  selectImages(sql).where('hash', '=', p.hash),
)
const marksAfter = statement<{ after: string; limit: number }>()((sql, p) =>
  sql.selectFrom('unused_image').selectAll().where('hash', '>', p.after).orderBy('hash').limit(p.limit),
)
const insertMark = statement<UnusedImageTable>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'unused_image', p).onConflict((conflict) => conflict.doNothing()),
)
const deleteMark = statement<UnusedImageTable>({ isCommutative: true })((sql, p) =>
  sql.deleteFrom('unused_image').where('hash', '=', p.hash).where('found_at', '=', p.found_at),
)
const deleteImage = statement<{ hash: string }>({ isCommutative: true })((sql, p) =>
  sql.deleteFrom('media').where('hash', '=', p.hash),
)

interface StoredImage extends ImageName {
  /** Whether its bytes are in an external image store. */
  readonly isExternal: boolean
}

const toStoredImage = (row: { hash: string; extension: string; is_external: unknown }): StoredImage => ({
  hash: row.hash,
  extension: row.extension as ImageExtension,
  isExternal: Boolean(row.is_external),
})

/** Whether an event has the image, or an archive needs it: an archive contains the bytes of images that are in the database. */
const isUsed = async (db: Pick<Queries, 'first'>, image: StoredImage): Promise<boolean> =>
  (await db.first(eventByImage, { imageUrl: toImagePath(image) })) !== undefined ||
  (image.isExternal && (await db.first(archiveByImage, { hash: image.hash })) !== undefined)

/**
 * Deletes images that nothing has referred to for a day, in small steps between which other requests run.
 * @throws AppError `unavailable` if the image store does not respond; the images that are not there have been deleted then
 */
export async function deleteUnusedImages(
  db: Database,
  ports: Ports,
  images: ImageStore,
  signal?: AbortSignal,
): Promise<void> {
  await markUnusedImages(db, ports, signal)
  await deleteMarkedImages(db, ports, images, signal)
}

/** Finds images that nothing refers to. */
async function markUnusedImages(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  for (let after = ''; !signal?.aborted; ) {
    const rows = await db.read.all(imagesAfter, { after, limit: SLICE_ROWS })
    for (const image of rows.map(toStoredImage)) {
      if (await isUsed(db.read, image)) continue
      await db.write((tx) => tx.run(insertMark, { hash: image.hash, found_at: ports.now() }))
    }
    if (rows.length < SLICE_ROWS) return
    after = rows.at(-1)?.hash ?? ''
    await yieldToEventLoop()
  }
}

async function deleteMarkedImages(
  db: Database,
  ports: Ports,
  images: ImageStore,
  signal?: AbortSignal,
): Promise<void> {
  let failure: unknown = null
  /** Not tried again after a failure, which can take seconds. */
  const remove: ImageStore['remove'] = async (name) => {
    if (failure !== null) return false
    return images.remove(name).catch((error) => {
      failure = error
      return false
    })
  }
  for (let after = ''; !signal?.aborted; ) {
    const marks = await db.read.all(marksAfter, { after, limit: SLICE_ROWS })
    for (const mark of marks) {
      if (signal?.aborted) return
      if (mark.found_at <= ports.now() - GRACE_MS) await deleteMarkedImage(db, remove, mark)
      await yieldToEventLoop()
    }
    if (marks.length < SLICE_ROWS) break
    after = marks.at(-1)?.hash ?? ''
  }
  if (failure !== null) throw failure
}

async function deleteMarkedImage(
  db: Database,
  remove: ImageStore['remove'],
  mark: UnusedImageTable,
): Promise<void> {
  const { hash } = mark
  const row = await db.read.first(imageByHash, { hash })
  const image = row && toStoredImage(row)
  const isNeeded = image !== undefined && (await isUsed(db.read, image))
  // Its bytes first: an image without them could not be shown. They stay if they are in a store that is not configured any more.
  if (image?.isExternal && !isNeeded && !(await remove(image))) return
  await db.write(async (tx) => {
    // A transaction that refers to the image has deleted the mark.
    const isMarked = (await tx.run(deleteMark, mark)) > 0
    if (isMarked && image && !isNeeded) await tx.run(deleteImage, { hash })
  })
}
