import { type ReactNode, useId } from 'react'
import classes from './radio-buttons.module.css'

interface Props<Value extends string> {
  readonly label: string
  readonly name: string
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly value: Value | ''
  readonly onChange: (value: Value) => void
  readonly error?: ReactNode
  readonly children?: ReactNode
  /** Whether a dialog focuses it first. */
  readonly isFocusedFirst?: boolean
}

/** A radio group whose options look like buttons. */
export function RadioButtons<Value extends string>(props: Props<Value>) {
  const { label, name, options, value, onChange, error, children, isFocusedFirst = false } = props
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div>
      <div
        role="radiogroup"
        aria-labelledby={id}
        aria-invalid={Boolean(error)}
        aria-describedby={error ? errorId : undefined}
        tabIndex={-1}
        data-autofocus={isFocusedFirst || undefined}
        className={classes.group}
      >
        <span id={id} className={classes.label}>
          {label}
        </span>
        <div className={classes.options}>
          {options.map((option) => (
            <label key={option.value} className={classes.option}>
              <input
                type="radio"
                name={`${id}-${name}`}
                value={option.value}
                checked={value === option.value}
                onChange={() => onChange(option.value)}
                className={classes.input}
              />
              <span className={classes.button}>{option.label}</span>
            </label>
          ))}
        </div>
      </div>
      {children}
      {error ? (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      ) : null}
    </div>
  )
}
