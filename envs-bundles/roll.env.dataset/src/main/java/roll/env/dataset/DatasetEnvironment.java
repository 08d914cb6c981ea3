package roll.env.dataset;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.dataset.DataSets;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;

/** Questions of a data set, one an episode; rewards that are configured beside it grade answers. */
@Component(name = "roll.env.dataset")
@RollEnv("dataset")
public final class DatasetEnvironment implements Environment {
  private final DataSets sets;

  /** One that reads with {@code sets}. */
  @Activate
  public DatasetEnvironment(@Reference DataSets sets) {
    this.sets = sets;
  }

  @Override
  public String description() {
    return "Answer a question of a data set in one turn; the reward is what the rewards of the"
        + " configuration say, the environment's own is 0.";
  }

  @Override
  public List<Option<?>> options() {
    return DatasetScenario.OPTIONS;
  }

  @Override
  public Scenario configure(Options options) {
    return DatasetScenario.of(options, sets);
  }
}
