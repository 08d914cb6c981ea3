package roll.reward.format;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;
import roll.api.reward.TaskFacts;
import roll.text.call.ThinkTags;
import roll.text.chat.JsonText;

/**
 * Whether the response follows the verifiable instructions of its row: all of IFEval's {@code
 * instruction_id_list}, with arguments in {@code kwargs}; without it the one that the fact {@code
 * ground_truth} names with its arguments: {@code {"func_name": "verify_bullet_points", "N": 3}}.
 */
@Component(name = "roll.reward.format.ifeval")
@RollReward("ifeval")
public final class IfevalReward implements RewardFunction {
  private static final String IDS = "instruction_id_list";
  private static final String ARGUMENTS = "kwargs";

  private static final Option<String> KEY =
      Option.text("answer_key", "field of the instruction, a mapping or JSON, with its func_name")
          .withDefault("ground_truth");

  @Override
  public String description() {
    return "1 if the response follows the row's verifiable instructions (IFEval), otherwise 0";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(KEY);
  }

  @Override
  public Reward configure(Options options) {
    return new Ifeval(options.where(), options.get(KEY));
  }

  /** The reward with the field of a single instruction. */
  private record Ifeval(String where, String key) implements Reward {
    @Override
    public Grade grade(Trajectory episode, RewardModels models) {
      String response = episode.finalResponse();
      String said =
          response.contains(ThinkTags.CLOSE)
              ? ThinkTags.after(response).replaceFirst("^\n+", "")
              : response;
      if (episode.facts().get(IDS) instanceof List<?> ids) {
        return grade(ids, episode.facts().get(ARGUMENTS), said);
      }
      boolean followed =
          JsonText.parsed(TaskFacts.at(episode.facts(), key)) instanceof Map<?, ?> instruction
              && IfevalChecks.followed(instruction, said);
      return Grade.of(followed, null);
    }

    private static Grade grade(List<?> ids, @Nullable Object arguments, String said) {
      List<?> all = arguments instanceof List<?> list ? list : List.of();
      int followed = 0;
      for (int i = 0; i < ids.size(); i++) {
        Map<?, ?> own = i < all.size() && all.get(i) instanceof Map<?, ?> map ? map : Map.of();
        followed += IfevalInstructions.followed(String.valueOf(ids.get(i)), own, said) ? 1 : 0;
      }
      double whole = followed == ids.size() ? 1 : 0;
      double share = ids.isEmpty() ? 1 : (double) followed / ids.size();
      return new Grade(whole, Map.of("acc", whole, "instructions", share), null);
    }

    @Override
    public void check(TaskInfo task) {
      Object ids = task.facts().get(IDS);
      List<?> all = ids instanceof List<?> list ? list : List.of();
      Object unknown =
          all.stream()
              .filter(id -> !IfevalInstructions.has(String.valueOf(id)))
              .findFirst()
              .orElse(null);
      boolean paired =
          !(task.facts().get(ARGUMENTS) instanceof List<?> list) || list.size() == all.size();
      if (unknown != null || !paired) {
        throw new UserException(
            "%s: %s: %s"
                .formatted(
                    task.where(),
                    where,
                    unknown != null
                        ? "unknown instruction '" + unknown + "' in " + IDS
                        : IDS + " and " + ARGUMENTS + " have different lengths"));
      }
    }
  }
}
