import { AppError, type ImageStore } from '@reeve/core'

/** No store beside the database: every row holds its bytes. */
export const databaseImageStore: ImageStore = {
  save: async (_name, bytes) => bytes,
  async load() {
    const error = new AppError('unavailable', {
      message: 'This image lies in a store that is not set up here.',
    })
    error.cause = new Error('an image lies in a bucket, and REEVE_S3_BUCKET is not set')
    throw error
  },
}
