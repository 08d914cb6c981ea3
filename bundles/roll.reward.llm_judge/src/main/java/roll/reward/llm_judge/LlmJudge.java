package roll.reward.llm_judge;

import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.NUMBER;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;

/** What a language model thinks of an episode: one of the run, or one behind an endpoint. */
@Component(name = "roll.reward.llm_judge")
@RollReward("llm_judge")
public final class LlmJudge implements RewardFunction {
  private static final String MODEL = "model";
  private static final String BASE_URL = "base_url";

  @Override
  public String description() {
    return "what a language model thinks of the episode, from 0 to 1";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(MODEL, TEXT, null, "key of reward_models, the model that judges"),
        new OptionInfo(BASE_URL, TEXT, null, "or: address before /chat/completions"),
        new OptionInfo("model_name", TEXT, null, "the endpoint's name of the model"),
        new OptionInfo("api_key", TEXT, null, "sent as bearer token; absent, nothing is sent"),
        new OptionInfo("timeout", NUMBER, 60, "seconds that an endpoint's answer may take"),
        new OptionInfo("max_retries", INTEGER, 3, "how often an endpoint is asked again"),
        new OptionInfo("retry_delay", NUMBER, 2, "seconds before the first time, then doubled"),
        new OptionInfo("max_concurrency", INTEGER, 16, "questions to an endpoint at once"),
        new OptionInfo("max_tokens", INTEGER, 1024, "most tokens of an endpoint's answer"),
        new OptionInfo("temperature", NUMBER, 0, "how an endpoint draws its answer"),
        new OptionInfo("prompt", TEXT, JudgePrompt.STANDARD, "what the judge is told"),
        new OptionInfo(
            "score_pattern", TEXT, JudgeVerdict.STANDARD, "its last match has the number"),
        new OptionInfo("min", NUMBER, 0, "number that is worth 0"),
        new OptionInfo("max", NUMBER, 10, "number that is worth 1"),
        new OptionInfo("unreadable", NUMBER, 0, "score where there is no number, 0 to 1"),
        AnswerKey.OPTION);
  }

  @Override
  public Reward configure(Options options) {
    if (options.has(MODEL) == options.has(BASE_URL)) {
      throw new UserException(
          options.where() + ": expected either model or base_url, found " + found(options));
    }
    JudgeVerdict verdict = JudgeVerdict.of(options);
    JudgePrompt prompt =
        new JudgePrompt(
            options.text("prompt"), AnswerKey.of(options), verdict.min(), verdict.max());
    return options.has(MODEL)
        ? new Judged(prompt, verdict, Judge.role(options.text(MODEL)))
        : new Judged(prompt, verdict, CachingJudge.of(options));
  }

  @Override
  public List<String> models(Options options) {
    return options.has(MODEL) ? List.of(MODEL) : List.of();
  }

  /** A question of the user's own may do without. */
  @Override
  public @Nullable AnswerKey answerKey(Options options) {
    return options.text("prompt").contains("{answer}") ? AnswerKey.of(options) : null;
  }

  private static String found(Options options) {
    return options.has(MODEL) ? "both" : "neither";
  }

  private record Judged(JudgePrompt prompt, JudgeVerdict verdict, Judge judge) implements Reward {
    @Override
    public Grade grade(Trajectory episode, RewardModels models) throws InterruptedException {
      return verdict.grade(judge.ask(prompt.of(episode), models));
    }

    @Override
    public void close() {
      judge.close();
    }
  }
}
