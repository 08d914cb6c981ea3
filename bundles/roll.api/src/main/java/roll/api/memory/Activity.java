package roll.api.memory;

/** What a session does in a phase. */
public enum Activity {
  /** Nothing: another role works. */
  REST,
  /** It writes responses. */
  GENERATE,
  /** It says how probable given tokens are, or of what value. */
  SCORE,
  /** It makes an optimizer step. */
  TRAIN
}
