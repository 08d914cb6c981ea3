package roll.runtime.worker;

/** The value of a {@link TaskReply} to a task without a result. */
public enum EmptyResult {
  /** The task is done. */
  DONE
}
