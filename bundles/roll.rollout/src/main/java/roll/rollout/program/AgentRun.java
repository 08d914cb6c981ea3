package roll.rollout.program;

import roll.rollout.supervise.EnvironmentException;

/** An episode that a program plays. */
interface AgentRun extends AutoCloseable {
  /** Calls {@code then}, on any thread, when the program has ended the episode. */
  void onEnd(Runnable then);

  /** Whether it has not. */
  boolean runs();

  /**
   * Looks after the program from time to time.
   *
   * @throws EnvironmentException if it does what it must not
   */
  default void look() {}

  /**
   * What the program says at the end of the episode.
   *
   * @throws EnvironmentException if it failed, or that is no result
   */
  AgentResult result() throws InterruptedException;

  /** Gives the episode up, where it has not ended. */
  @Override
  void close();
}
