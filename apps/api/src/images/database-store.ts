import { AppError, type ImageStore } from '@reeve/core'

/** Stores images in the database: every row contains the bytes of its image. */
export const databaseImageStore: ImageStore = {
  save: async (_name, bytes) => bytes,
  async load() {
    const error = new AppError('unavailable', {
      message: 'This image is in a bucket that is not configured on this instance.',
    })
    error.cause = new Error('an image is in a bucket, but REEVE_S3_BUCKET is not set')
    throw error
  },
  remove: async () => false,
}
