import { AppError, fileNameCodec } from '@reeve/core'

/** What a form has besides the file: boundaries, headers and the name. */
export const FORM_OVERHEAD_BYTES = 4096

const incomplete = (message: string) => new AppError('invalid_request', { message })

/**
 * Reads the file of an HTML form with one file field, named `file`.
 * @param body of type multipart/form-data
 * @throws AppError `unsupported_media_type`; `invalid_request` with a message for the player
 */
export async function readFormFile(
  body: Uint8Array<ArrayBuffer>,
  contentType: string | null,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ''))
    throw new AppError('unsupported_media_type', {
      message: 'Send the request body with Content-Type: multipart/form-data.',
    })
  const headers = { 'content-type': contentType ?? '' }
  const form = await new Response(body, { headers }).formData().catch(() => {
    throw incomplete('This form is not complete. Try again.')
  })
  const files = form.getAll('file')
  const [file] = files
  if (files.length !== 1 || !(file instanceof Blob) || file.size === 0) throw incomplete('Choose a file.')
  const name = 'name' in file ? String(file.name) : ''
  return { name: fileNameCodec.read(name.toWellFormed()), bytes: new Uint8Array(await file.arrayBuffer()) }
}
