package roll.reward.data_source;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.plugin.Plugins;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Grades each row by verl's rule for its data set. */
@Component(name = "roll.reward.data_source")
@RollReward("data_source")
public final class DataSourceReward implements RewardFunction {
  private static final Option<String> KEY =
      Option.text("key", "field with the name of a row's data set").withDefault("data_source");

  /** Options of the rewards that grade some of the data sets. */
  private static final List<Option<RawOptions>> GRADERS =
      Stream.of("gsm8k", "math_equal_reward", "em", "code_reward")
          .map(name -> Option.nested(name, "options of that reward for the data sets it grades"))
          .toList();

  private final Plugins plugins;

  /** Creates the reward with the rewards in {@code plugins}. */
  @Activate
  public DataSourceReward(@Reference Plugins plugins) {
    this.plugins = plugins;
  }

  @Override
  public String description() {
    return "verl's score for the data set named in the row; rows of other data sets"
        + " are refused";
  }

  @Override
  public List<Option<?>> options() {
    List<Option<?>> options = new ArrayList<>(List.of(KEY));
    options.addAll(GRADERS);
    return options;
  }

  @Override
  public Reward configure(Options options) {
    return new DataSourceGrader(
        options.where(), options.get(KEY), new LeasedGraders(plugins, options, GRADERS));
  }
}
