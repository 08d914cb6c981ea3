package roll.env.dataset;

import static roll.api.option.OptionInfo.Type.BOOLEAN;
import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.TEXT;
import static roll.api.option.OptionInfo.Type.TEXTS;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.dataset.DataSets;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.OptionInfo;
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
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(
            "train_files", TEXTS, List.of(), "files of the questions that are trained on"),
        new OptionInfo(
            "val_files", TEXTS, List.of(), "files of validation; without any, train_files"),
        new OptionInfo(
            "prompt_key",
            TEXT,
            null,
            "field with the question, a text or chat messages; absent, "
                + String.join(", ", Question.KEYS)
                + ": the first there is"),
        new OptionInfo("shuffle", BOOLEAN, true, "whether training goes through the rows by lot"),
        new OptionInfo("max_samples", INTEGER, -1, "the first so many rows of each list; -1 all"),
        new OptionInfo(
            "filter_overlong_prompts",
            BOOLEAN,
            false,
            "whether questions longer than prompt_length are left out"));
  }

  @Override
  public Scenario configure(Options options) {
    return DatasetScenario.of(options, sets);
  }
}
