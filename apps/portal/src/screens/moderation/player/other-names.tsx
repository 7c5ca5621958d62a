import { MatchedText } from './matched-text.tsx'

interface Props {
  readonly names: readonly string[]
  /** The search that found the player by one of the names. */
  readonly q?: string
}

/** `Also known as Rider, Storm`; nothing if there are no other names. */
export const OtherNames = ({ names, q }: Props) =>
  names.length === 0 ? null : (
    <>
      Also known as{' '}
      {names.map((name, index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          <bdi>
            <MatchedText text={name} q={q} />
          </bdi>
        </span>
      ))}
    </>
  )
