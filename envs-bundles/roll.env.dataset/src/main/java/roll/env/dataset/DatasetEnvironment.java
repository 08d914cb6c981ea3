package roll.env.dataset;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.dataset.DataSetReader;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;

/** Questions of a data set, one per episode, graded by the configured rewards. */
@Component(name = "roll.env.dataset")
@RollEnv("dataset")
public final class DatasetEnvironment implements Environment {
  private final DataSetReader sets;

  /** Creates an environment that reads files by {@code sets}. */
  @Activate
  public DatasetEnvironment(@Reference DataSetReader sets) {
    this.sets = sets;
  }

  @Override
  public String description() {
    return "Answer a question of a data set in one turn; the configured rewards grade it, the"
        + " environment's own reward is 0.";
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
