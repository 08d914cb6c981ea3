package roll.env.frozen_lake;

import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the standard options: 4×4, slippery. */
class FrozenLakeContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new FrozenLakeEnvironment();
  }
}
