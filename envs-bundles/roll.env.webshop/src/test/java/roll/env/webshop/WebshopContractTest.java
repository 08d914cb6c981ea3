package roll.env.webshop;

import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the standard options: the generated catalog, at most ten turns. */
class WebshopContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new WebshopEnvironment();
  }
}
