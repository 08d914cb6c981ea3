package roll.env.dataset;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.dataset.DataSetReader;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.bridge.PeerPools;
import roll.bridge.PythonScript;

/** Questions of a data set, one per episode, graded by the configured rewards. */
@Component(name = "roll.env.dataset")
@RollEnv("dataset")
public final class DatasetEnvironment implements Environment {
  private static final Option<RawOptions> PYTHON =
      Option.nested("python", "tools in the user's Python: tools, environment_factory and others");
  private static final List<Option<?>> OPTIONS =
      Stream.concat(DatasetScenario.OPTIONS.stream(), Stream.of(PYTHON)).toList();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final DataSetReader sets;
  private final PythonScript script = PythonScript.of(DatasetEnvironment.class, "tools.py");
  private final PeerPools peers = new PeerPools(PATIENCE);

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
    return OPTIONS;
  }

  @Override
  public Scenario configure(Options options) {
    Scenario questions = DatasetScenario.of(options, sets);
    return options
        .find(PYTHON)
        .map(python -> PythonTools.of(python.checked(PythonTools.OPTIONS), script, peers))
        .<Scenario>map(python -> new PythonScenario(questions, python, peers))
        .orElse(questions);
  }

  /** Ends the Python processes. */
  @Deactivate
  void deactivate() {
    peers.close();
  }
}
