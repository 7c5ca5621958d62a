import classes from './form-alert.module.css'

/** The error message of a form. Always rendered, since some screen readers ignore an alert that is inserted with its text. */
export const FormAlert = ({ children }: { readonly children: string }) => (
  <p role="alert" className={classes.alert}>
    {children}
  </p>
)
