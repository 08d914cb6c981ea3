package roll.runtime.worker;

/** The value of a {@link TaskReply} to a task without a result. */
public enum EmptyResult {
  /** Empty result: the task is done. */
  DONE
}
