package roll.reward.math;

import java.util.List;
import org.osgi.annotation.bundle.Requirement;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Reward;

/** Base of the rewards that compare expressions; it requires the default grader. */
@Requirement(namespace = "roll.grader", filter = "(roll.grader=math_verify)", effective = "active")
abstract class EqualReward extends MathReward {
  private static final Option<String> GRADER =
      Option.text(
              "grader",
              "the service `roll.grader` that compares answers unequal as text (not in the two"
                  + " `string` rewards)")
          .withDefault("math_verify");

  private final Plugins plugins;

  EqualReward(Plugins plugins, ConversationForm form, String description) {
    super(form, description);
    this.plugins = plugins;
  }

  @Override
  public final List<Option<?>> options() {
    return List.of(GRADER, AnswerKey.OPTION);
  }

  @Override
  public final Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    Lease<AnswerGrader> grader = grader(options).lease(plugins);
    return new CorrectAnswerReward(
        form, key, new ExpressionGrader(grader.service()), grader::close);
  }

  @Override
  public final List<PluginReference<?>> uses(Options options) {
    return List.of(grader(options));
  }

  private static PluginReference<AnswerGrader> grader(Options options) {
    return PluginReference.of(options, GRADER, AnswerGrader.class, "roll.grader");
  }
}
