package roll.env.click_and_read;

import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the standard options: generated sites, at most five actions. */
class ClickAndReadContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new ClickAndReadEnvironment();
  }
}
