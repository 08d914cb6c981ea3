package roll.runtime.worker;

/** The value of a {@link TaskReply} to a task that asks for no value. */
public enum Done {
  /** It was done. */
  DONE
}
