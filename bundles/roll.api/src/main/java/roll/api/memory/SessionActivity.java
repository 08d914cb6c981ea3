package roll.api.memory;

/** The activity of a session in a phase. */
public enum SessionActivity {
  /** Idle while another role works. */
  REST,
  /** Generates responses. */
  GENERATE,
  /** Computes log-probs or values of given tokens. */
  SCORE,
  /** Runs an optimizer step. */
  TRAIN
}
