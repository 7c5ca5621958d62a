// Not part of the index of the package: the portal does not read files.

export { detectImageType } from './detect-image.ts'
export * from './inspect-file.ts'
export { removeMetadata } from './remove-metadata.ts'
