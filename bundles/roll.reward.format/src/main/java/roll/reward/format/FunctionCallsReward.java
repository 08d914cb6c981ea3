package roll.reward.format;

import java.util.ArrayList;
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
import roll.api.tool.ToolCall;
import roll.text.call.HermesParser;
import roll.text.call.ParsedToolCall;
import roll.text.chat.JsonText;

/**
 * Whether the final response makes the calls of a row of the Berkeley Function Calling Leaderboard,
 * in any order, and no others.
 */
@Component(name = "roll.reward.format.function_calls")
@RollReward("function_calls")
public final class FunctionCallsReward implements RewardFunction {
  private static final String FUNCTIONS = "function";

  private static final Option<String> KEY =
      Option.text(
              "calls_key",
              "field of the expected calls: mappings of a function to the allowed values by"
                  + " parameter")
          .withDefault("ground_truth");

  @Override
  public String description() {
    return "1 if the final response makes the expected function calls and no others, otherwise 0";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(KEY);
  }

  @Override
  public Reward configure(Options options) {
    return new Calls(options.where(), options.get(KEY));
  }

  /** The reward with the field of the expected calls. */
  private record Calls(String where, String key) implements Reward {
    @Override
    public Grade grade(Trajectory episode, RewardModels models) {
      List<ExpectedCall> expected = expected("an episode of " + episode.tag(), episode.facts());
      List<ToolCall> made =
          new ArrayList<>(
              HermesParser.blocks(episode.finalResponse()).stream()
                  .map(block -> ParsedToolCall.of(block).call())
                  .toList());
      boolean right = expected.size() == made.size();
      for (int i = 0; right && i < expected.size(); i++) {
        ToolCall match = made.stream().filter(expected.get(i)::accepts).findFirst().orElse(null);
        right = match != null && made.remove(match);
      }
      return Grade.of(right, null);
    }

    @Override
    public void check(TaskInfo task) {
      var unused = expected(task.where(), task.facts());
    }

    private List<ExpectedCall> expected(String task, Map<String, Object> facts) {
      List<?> calls = list(TaskFacts.at(facts, key));
      List<?> functions = list(facts.get(FUNCTIONS));
      if (calls == null || functions == null) {
        throw wrong(task);
      }
      List<ExpectedCall> expected = new ArrayList<>();
      for (Object call : calls) {
        ExpectedCall read = ExpectedCall.of(call, functions);
        if (read == null) {
          throw wrong(task);
        }
        expected.add(read);
      }
      return expected;
    }

    private UserException wrong(String task) {
      return new UserException(
          ("%s: no calls that %s could grade by: expected a list of {function: {parameter: [allowed"
                  + " values]}} as %s, of functions in '%s'")
              .formatted(task, where, key, FUNCTIONS));
    }

    private static @Nullable List<?> list(@Nullable Object fact) {
      return JsonText.parsed(fact) instanceof List<?> list ? list : null;
    }
  }
}
