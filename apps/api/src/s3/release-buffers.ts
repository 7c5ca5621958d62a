/**
 * Collects garbage. Buffers of transferred data are megabytes large, but the collector counts only the small objects that refer to them,
 * and starts too late: uploading 400 MB took 290 MB of memory without this, and 140 MB with it.
 */
export const releaseBuffers = (): void => Bun.gc(true)
