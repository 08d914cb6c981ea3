package roll.api.memory;

/** The activity of a session in a phase. */
public enum SessionActivity {
  /** Session activity: idle while another role works. */
  REST,
  /** Session activity: generates responses. */
  GENERATE,
  /** Computes log-probs or values of given tokens. */
  SCORE,
  /** Session activity: runs an optimizer step. */
  TRAIN
}
