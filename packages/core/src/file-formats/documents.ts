import { isUtf8 } from 'node:buffer'
import { WireError } from '../wire-codec.ts'
import { incompleteError } from './content.ts'

/** Bytes that are examined between two turns of the event loop: about a millisecond. */
const STEP_BYTES = 512 * 1024

const TAB = 0x09
const CARRIAGE_RETURN = 0x0d
/** Begins the colors in the output of a terminal, which logs contain. */
const ESCAPE = 0x1b
const DELETE = 0x7f

const isControl = (byte: number): boolean =>
  (byte < 0x20 && (byte < TAB || byte > CARRIAGE_RETURN) && byte !== ESCAPE) || byte === DELETE

/**
 * Whether a file is text: UTF-8 without the control characters that only other files contain.
 * @param yieldStep called between steps, because a large file takes tens of milliseconds
 */
export async function isText(bytes: Uint8Array, yieldStep: () => Promise<void>): Promise<boolean> {
  if (bytes.length === 0) return false
  for (let start = 0; start < bytes.length; start += STEP_BYTES) {
    const end = Math.min(start + STEP_BYTES, bytes.length)
    for (let offset = start; offset < end; offset++) if (isControl(bytes[offset] as number)) return false
    await yieldStep()
  }
  return isUtf8(bytes)
}

const PDF_SIGNATURE = /^%PDF-[12]\.\d/
const PDF_END = '%%EOF'

/** Whether a file is a PDF: it has the signature at its beginning, where other programs do not look for a second format. */
export const isPdf = (bytes: Uint8Array): boolean =>
  PDF_SIGNATURE.test(String.fromCharCode(...bytes.subarray(0, 8)))

/** A PDF without what follows its last end mark. @throws WireError if it has none */
export function selectPdfParts(bytes: Uint8Array): readonly Uint8Array[] {
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(PDF_END)
  if (end < 0) throw incompleteError('document')
  return [bytes.subarray(0, end + PDF_END.length), Uint8Array.of(0x0a)]
}

const ZIP_END = Uint8Array.of(0x50, 0x4b, 0x05, 0x06)
const ZIP_END_BYTES = 22
const MAX_ZIP_COMMENT_BYTES = 0xffff

/**
 * Rejects a file that is an archive too: ZIP and the programs and documents that are ZIP files are found by their end.
 * @param bytes the end of the file. Source: APPNOTE.TXT of PKWARE, 4.3.16
 * @throws WireError
 */
export function assertNoZip(bytes: Uint8Array): void {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const start = Math.max(0, tail.length - ZIP_END_BYTES - MAX_ZIP_COMMENT_BYTES)
  for (let at = tail.indexOf(ZIP_END, start); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + ZIP_END_BYTES > tail.length) return
    if (at + ZIP_END_BYTES + tail.readUInt16LE(at + 20) <= tail.length)
      throw new WireError('is two files in one: it contains a ZIP archive; attach them one by one')
  }
}
