package roll.itests;

import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.Options;

/** An environment whose constructor fails after a delay, during which it is registered. */
public final class LateEnvironment implements Environment {
  private static final long MILLIS = 700;

  /** Throws after a delay. */
  public LateEnvironment() throws InterruptedException {
    Thread.sleep(MILLIS);
    throw new IllegalStateException("there is no map");
  }

  @Override
  public String description() {
    return "";
  }

  @Override
  public Scenario configure(Options options) {
    throw new UnsupportedOperationException();
  }
}
