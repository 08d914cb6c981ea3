package roll.itests;

import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.Options;

/** An environment whose constructor throws. */
public final class ThrowingEnvironment implements Environment {
  /** Throws. */
  public ThrowingEnvironment() {
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
