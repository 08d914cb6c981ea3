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

/** Each row by the rule that verl has for the data set it comes from. */
@Component(name = "roll.reward.data_source")
@RollReward("data_source")
public final class DataSourceReward implements RewardFunction {
  private static final Option<String> KEY =
      Option.text("key", "field of a row that names the data set it comes from")
          .withDefault("data_source");

  /** The rewards that grade some of the data sets, each with its own options. */
  private static final List<Option<RawOptions>> GRADERS =
      Stream.of("gsm8k", "math_equal_reward", "em", "code_reward")
          .map(name -> Option.nested(name, "options of that reward, which grades some data sets"))
          .toList();

  private final Plugins plugins;

  /** With the rewards among {@code plugins}. */
  @Activate
  public DataSourceReward(@Reference Plugins plugins) {
    this.plugins = plugins;
  }

  @Override
  public String description() {
    return "What verl gives answers to questions of the data set that the row names; of any other"
        + " data set it refuses the row";
  }

  @Override
  public List<Option<?>> options() {
    List<Option<?>> options = new ArrayList<>(List.of(KEY));
    options.addAll(GRADERS);
    return options;
  }

  @Override
  public Reward configure(Options options) {
    return new BySource(options.where(), options.get(KEY), new Graders(plugins, options, GRADERS));
  }
}
