package roll.reward.math_verify;

import java.util.List;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;
import roll.api.reward.AnswerGrader;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;

/** Scores 1 for a final response that a grader finds equal to a known answer. */
@Component(name = "roll.reward.math_verify")
@RollReward("math_verify")
@Requirement(namespace = "roll.grader", filter = "(roll.grader=math_verify)", effective = "active")
public final class MathVerifyReward implements RewardFunction {
  private static final Option<String> GRADER =
      Option.text("grader", "the service `roll.grader` that compares").withDefault("math_verify");
  private static final Option<RawOptions> GRADER_OPTIONS =
      Option.nested(
          "grader_options", "options of that service, see its bundle; unknown ones are refused");

  private static final String CONCLUSION = "conclusion";
  private static final Option<String> PART =
      Option.choice(
              "part",
              List.of("response", CONCLUSION),
              "`response`, or `conclusion` as in ROLL: the last box after `</think>`, without it of"
                  + " the last paragraph")
          .withDefault("response");

  private final Plugins plugins;

  /** Creates the reward with the graders in {@code plugins}. */
  @Activate
  public MathVerifyReward(@Reference Plugins plugins) {
    this.plugins = plugins;
  }

  @Override
  public String description() {
    return "1 if the final response is mathematically equal to a known answer, otherwise 0";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(GRADER, GRADER_OPTIONS, PART, AnswerKey.OPTION);
  }

  @Override
  public Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    Lease<AnswerGrader> lease = grader(options).lease(plugins);
    try {
      AnswerGrader grader = lease.service();
      Options given = options.get(GRADER_OPTIONS).checked(grader.options());
      boolean end = options.get(PART).equals(CONCLUSION);
      return new Verified(key, grader.configure(given), end, lease);
    } catch (UserException wrong) {
      lease.close();
      throw wrong;
    }
  }

  @Override
  public List<PluginReference<?>> uses(Options options) {
    return List.of(grader(options));
  }

  @Override
  public AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  private static PluginReference<AnswerGrader> grader(Options options) {
    return PluginReference.of(options, GRADER, AnswerGrader.class, "roll.grader");
  }

  private record Verified(
      AnswerKey key, AnswerGrader grader, boolean end, Lease<AnswerGrader> lease)
      implements Reward {
    @Override
    public Grade grade(Trajectory episode, RewardModels models) {
      String whole = episode.finalResponse();
      String response = end ? Conclusion.of(whole) : whole;
      boolean right = key.answers(episode).stream().anyMatch(gold -> grader.equal(gold, response));
      return Grade.of(right, grader.answer(response).orElse(null));
    }

    @Override
    public void close() {
      lease.close();
    }
  }
}
