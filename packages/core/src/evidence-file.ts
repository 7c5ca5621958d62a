import { imageMediaTypes } from './image.ts'
import { fail } from './wire-codec.ts'

/** The types of evidence files: file extension → media type. */
export const evidenceMediaTypes = {
  ...imageMediaTypes,
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
  txt: 'text/plain',
} as const

export type EvidenceType = keyof typeof evidenceMediaTypes

/** For messages, after "must be". */
export const evidenceTypeNames =
  'a PNG, JPEG, WebP, GIF or AVIF picture, an MP4 or WebM video, a PDF, or text in UTF-8'

/** The number of files that one record can have. */
export const MAX_EVIDENCE_FILES = 10

/** The maximum size of one file, in bytes. */
export const MAX_EVIDENCE_FILE_BYTES = 25_000_000

/** The number of files that a player can send about one ban, in all of its appeals, and the maximum size of one in bytes. */
export const MAX_APPEAL_FILES = 5
export const MAX_APPEAL_FILE_BYTES = 5_000_000

const MAX_NAME_CHARACTERS = 120

/** Other extensions that files of a type usually have. */
const OTHER_EXTENSIONS: Partial<Record<EvidenceType, readonly string[]>> = {
  jpg: ['jpeg'],
  mp4: ['m4v'],
  txt: ['log', 'csv', 'json', 'md'],
}

/** Characters that file systems do not allow, that are not visible, or that change the direction of what follows. */
const UNSAFE_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]+/gu

/** A file name as a browser sends it, without folders and unsafe characters. */
export const fileNameCodec = {
  read(text: string): string {
    if (!text.isWellFormed()) fail('must be valid Unicode')
    const name = text
      .normalize('NFC')
      .replace(/^.*[/\\]/s, '')
      .replace(UNSAFE_CHARACTERS, ' ')
    return name.replace(/\s+/g, ' ').trim().replace(/^\.+/, '') || 'file'
  },
  write: (name: string): string => name,
  description: 'The name of the file; folders and characters that no file system allows are removed',
  example: 'screenshot.png',
}

/** The name to store: of limited length, and with an extension of the type of the content, so that no system opens it as another one. */
export function toEvidenceName(name: string, type: EvidenceType): string {
  const [, stem = name, extension = ''] = /^(.+)\.([^.]{1,10})$/s.exec(name) ?? []
  const known = [type, ...(OTHER_EXTENSIONS[type] ?? [])]
  const isKnown = known.includes(extension.toLowerCase())
  const suffix = isKnown ? extension : type
  const characters = [...(isKnown ? stem : name)].slice(0, MAX_NAME_CHARACTERS - suffix.length - 1)
  return `${characters.join('').trim()}.${suffix}`
}
