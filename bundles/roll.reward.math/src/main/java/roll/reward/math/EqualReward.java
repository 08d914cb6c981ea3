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
import roll.api.reward.RewardFunction;

/** Base of the rewards that compare expressions; it requires the default grader. */
@Requirement(namespace = "roll.grader", filter = "(roll.grader=math_verify)", effective = "active")
abstract class EqualReward implements RewardFunction {
  private static final Option<String> GRADER =
      Option.text(
              "grader",
              "the service `roll.grader` that compares answers unequal as text (not in the two"
                  + " `string` rewards)")
          .withDefault("math_verify");

  private final Plugins plugins;
  private final ConversationForm form;
  private final String description;

  EqualReward(Plugins plugins, ConversationForm form, String description) {
    this.plugins = plugins;
    this.form = form;
    this.description = description;
  }

  @Override
  public final String description() {
    return description;
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

  @Override
  public final boolean readsConversation(Options options) {
    return form != ConversationForm.ANY;
  }

  @Override
  public final AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  private static PluginReference<AnswerGrader> grader(Options options) {
    return PluginReference.of(options, GRADER, AnswerGrader.class, "roll.grader");
  }
}
