import { useEffect, useId, useRef } from 'react'
import classes from './edit-conflict.module.css'
import type { ConflictingField, ConflictSide, OtherChange } from './use-edit-conflict.ts'

interface Props {
  readonly fields: readonly ConflictingField[]
  readonly otherChanges: readonly OtherChange[]
}

/** What someone else changed while the form was open, field by field, with a choice for each. For above the buttons. */
export function EditConflict({ fields, otherChanges }: Props) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const isShown = fields.length + otherChanges.length > 0
  useEffect(() => {
    if (isShown) section.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  if (!isShown) return null
  return (
    <section ref={section} className={classes.conflict} aria-labelledby={id}>
      <h3 id={id} className={classes.heading}>
        Changed by someone else
      </h3>
      {fields.map((field) => (
        <FieldChoice key={field.name} field={field} />
      ))}
      {otherChanges.length > 0 ? (
        <dl className={classes.others}>
          {otherChanges.map(({ label, before, after }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Value text={before} /> → <Value text={after} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  )
}

const sideLabels: Readonly<Record<ConflictSide, string>> = { theirs: 'Take theirs', mine: 'Keep mine' }

function FieldChoice({ field }: { readonly field: ConflictingField }) {
  const id = useId()
  const { label, before, chosen, choose } = field
  return (
    <fieldset className={classes.field} aria-describedby={`${id}-before`}>
      <legend>{label}</legend>
      <p id={`${id}-before`} className={classes.before}>
        Before: <Value text={before} />
      </p>
      <div className={classes.sides}>
        {(['theirs', 'mine'] as const).map((side) => (
          <label key={side} className={classes.side}>
            <input type="radio" name={id} checked={chosen === side} onChange={() => choose(side)} />
            <span>
              <span className={classes.sideLabel}>{sideLabels[side]}</span>{' '}
              <span className={classes.value}>
                <Value text={field[side]} />
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const Value = ({ text }: { readonly text: string }) =>
  text === '' ? <em className={classes.empty}>empty</em> : <bdi>{text}</bdi>
