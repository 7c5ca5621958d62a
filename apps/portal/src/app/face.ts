import type { Face } from '../addresses.ts'

/** What the server knew when it sent the page. Asked once: what happened since is known here. */
export function faceAtFirst(): Face {
  const { face } = document.documentElement.dataset
  delete document.documentElement.dataset.face
  return (face as Face | undefined) ?? 'signed-in'
}
