package roll.env.dataset;

import java.util.Map;
import java.util.random.RandomGenerator;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.testkit.EnvironmentContract;

/** The contract, with answers as they come. */
class DatasetContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new DatasetEnvironment(Sets.numbered());
  }

  @Override
  protected Map<String, Object> config() {
    return Map.of("train_files", "10");
  }

  @Override
  protected String response(Episode episode, RandomGenerator random) {
    return "a" + random.nextInt(10);
  }
}
