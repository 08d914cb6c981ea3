package roll.reward.llm_judge;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;
import roll.remote.ApiClient;

/** Grades an episode by a language model of the run, or behind an endpoint. */
@Component(name = "roll.reward.llm_judge")
@RollReward("llm_judge")
public final class LlmJudge implements RewardFunction {
  private static final Option<String> MODEL =
      Option.text(
          "model", "key of `reward_models`: what all episodes ask is computed as one batch");
  private static final Option<String> BASE_URL =
      ApiClient.BASE_URL.withDescription("or: URL of an endpoint without /chat/completions");
  private static final Option<String> PROMPT =
      Option.text(
              "prompt",
              "prompt of the judge, with `{question}`, `{answer}`, `{response}`, `{messages}`,"
                  + " `{min}`, `{max}`; other braces are kept")
          .withDefault(JudgePrompt.STANDARD);

  @Override
  public String description() {
    return "a language model's verdict on the episode, from 0 to 1";
  }

  @Override
  public List<Option<?>> options() {
    List<Option<?>> all = new ArrayList<>(List.of(MODEL, BASE_URL));
    all.addAll(CachingJudge.OPTIONS);
    all.add(PROMPT);
    all.addAll(JudgeVerdict.OPTIONS);
    all.add(AnswerKey.OPTION);
    return List.copyOf(all);
  }

  @Override
  public Reward configure(Options options) {
    if (options.has(MODEL) == options.has(BASE_URL)) {
      throw new UserException(
          options.where() + ": expected either model or base_url, found " + found(options));
    }
    JudgeVerdict verdict = JudgeVerdict.of(options);
    JudgePrompt prompt =
        new JudgePrompt(options.get(PROMPT), AnswerKey.of(options), verdict.min(), verdict.max());
    Judge judge = options.find(MODEL).map(Judge::role).orElseGet(() -> CachingJudge.of(options));
    return new Judged(prompt, verdict, judge);
  }

  @Override
  public List<Option<String>> models(Options options) {
    return options.has(MODEL) ? List.of(MODEL) : List.of();
  }

  /** Returns the field of the reference answer; null if the prompt does not use it. */
  @Override
  public @Nullable AnswerKey answerKey(Options options) {
    return options.get(PROMPT).contains("{answer}") ? AnswerKey.of(options) : null;
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
