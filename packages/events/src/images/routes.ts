import type { AppContext } from '@reeve/auth'
import {
  AppError,
  IMAGE_PATH_PREFIX,
  type ImageExtension,
  type ImageStore,
  matchesIfNoneMatch,
  parseImageName,
} from '@reeve/core'
import { type MediaTable, type Queries, statement } from '@reeve/db'
import { Elysia } from 'elysia'

const imageByName = statement<{ hash: string; extension: string }>()((sql, p) =>
  sql.selectFrom('media').selectAll().where('hash', '=', p.hash).where('extension', '=', p.extension),
)

/** Headers that make a browser treat the content only as an image of its declared type. */
const IMAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  // The file name is a hash of the content, so the content never changes.
  'cache-control': 'public, max-age=31536000, immutable',
}

/** Finds an image by its file name. @throws AppError `not_found` */
async function requireImage(db: Queries, file: string): Promise<MediaTable> {
  const name = parseImageName(file)
  const image = name && (await db.first(imageByName, name))
  if (!image) throw new AppError('not_found', { message: 'There is no such image.' })
  return image
}

const readImageBytes = async (
  images: ImageStore,
  { hash, extension, bytes }: MediaTable,
): Promise<Uint8Array> => bytes ?? images.load({ hash, extension: extension as ImageExtension })

/** `/media/<sha256>.<ext>`: the stored images, without authentication. */
export const imageRoutes = (app: AppContext) =>
  new Elysia({ name: 'images', tags: ['Media'], normalize: false }).use(app.auth).get(
    `${IMAGE_PATH_PREFIX}:file`,
    async ({ params, request }) => {
      const image = await requireImage(app.db.read, params.file)
      const headers = { ...IMAGE_HEADERS, 'content-type': image.content_type, etag: `"${image.hash}"` }
      return matchesIfNoneMatch(request, headers.etag)
        ? new Response(null, { status: 304, headers })
        : new Response((await readImageBytes(app.images, image)) as Uint8Array<ArrayBuffer>, { headers })
    },
    {
      permission: { caller: 'anyone', permission: null, workspace: 'none' },
      detail: { summary: 'Return an image by the SHA-256 of its content' },
    },
  )
