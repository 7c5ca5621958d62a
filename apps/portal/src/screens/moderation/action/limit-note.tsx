import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './action-form.module.css'

/** The limits of the user for what a form does, and why it would be refused. @param warning null if it would not */
export const LimitNote = ({ note, warning }: { readonly note: string; readonly warning: string | null }) => (
  <>
    {note === '' ? null : <p className={classes.limits}>{note}</p>}
    <p className={classes.warning} aria-live="polite">
      {warning === null ? null : (
        <>
          <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
          <span>{warning}</span>
        </>
      )}
    </p>
  </>
)
