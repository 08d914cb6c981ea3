package roll.rollout.program;

import roll.rollout.supervise.EnvironmentException;

/** A running episode of a program. */
interface AgentRun extends AutoCloseable {
  /** Calls {@code then}, on any thread, when the episode has ended. */
  void onEnd(Runnable then);

  /** Returns whether the episode is still running. */
  boolean runs();

  /**
   * Checks the program; called periodically.
   *
   * @throws EnvironmentException if it exceeds a limit
   */
  default void look() {}

  /**
   * Returns the result of the ended episode.
   *
   * @throws EnvironmentException if the program failed or its result is invalid
   */
  AgentResult result() throws InterruptedException;

  /** Abandons the episode if it is still running. */
  @Override
  void close();
}
