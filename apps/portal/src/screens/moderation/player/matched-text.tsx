import { findMatchRange } from '@reeve/core'
import classes from './player-results.module.css'

/** A name with the part that a search matches emphasized. */
export function MatchedText({ text, q }: { readonly text: string; readonly q: string | undefined }) {
  const range = q === undefined ? null : findMatchRange(text, q)
  if (range === null) return text
  const [start, end] = range
  return (
    <>
      {text.slice(0, start)}
      <mark className={classes.match}>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}
