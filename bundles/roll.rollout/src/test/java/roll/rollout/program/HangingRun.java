package roll.rollout.program;

import org.jspecify.annotations.NullMarked;

/** A program that does nothing, for ever. */
@NullMarked
final class HangingRun implements AgentRun {
  @Override
  public void onEnd(Runnable then) {}

  @Override
  public boolean runs() {
    return true;
  }

  @Override
  public AgentResult result() {
    return AgentResult.NONE;
  }

  @Override
  public void close() {}
}
