package roll.reward.guideline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;
import roll.api.reward.TaskFacts;

/**
 * The reward of an episode's guideline by the solver's answer.
 *
 * @param with prompts with a guideline
 * @param without prompts without a guideline, or null
 * @param counterfactual whether the score without a guideline is subtracted
 * @param baselines known scores without a guideline
 * @param log log of all solutions, or null
 */
record GuidelineScorer(
    FrozenSolver solver,
    SolverPrompts with,
    @Nullable SolverPrompts without,
    boolean counterfactual,
    SolverBaselines baselines,
    @Nullable SolverLog log)
    implements Reward {
  @Override
  public Grade grade(Trajectory episode, RewardModels models) throws InterruptedException {
    String question = TaskFacts.question(episode).orElse("");
    String guideline = GuidelineCleaner.clean(episode.finalResponse());
    if (question.isEmpty() || guideline.isEmpty()) {
      return new Grade(0, Map.of("acc", 0.0), null);
    }
    List<String> golds = solver.golds(episode);
    String solution = solver.ask(with.of(question, guideline), models);
    double accuracy = solver.accuracy(golds, solution);
    Map<String, Double> details = new LinkedHashMap<>();
    details.put("acc", accuracy);
    double reward = accuracy;
    if (without != null && !solution.isBlank()) {
      double baseline = baseline(without, question, golds, models);
      details.put("baseline", baseline);
      reward -= counterfactual ? baseline : 0;
    }
    if (log != null) {
      log.append(question, guideline, solution, golds, reward);
    }
    return new Grade(reward, details, solver.answer(solution));
  }

  /**
   * Returns the solver's score without a guideline. Episodes with the same question do not wait for
   * each other, since all requests are generated in one batch.
   */
  private double baseline(
      SolverPrompts prompts, String question, List<String> golds, RewardModels models)
      throws InterruptedException {
    Double known = baselines.of(question);
    if (known != null) {
      return known;
    }
    double accuracy = solver.accuracy(golds, solver.ask(prompts.of(question, ""), models));
    baselines.put(question, accuracy);
    return accuracy;
  }

  @Override
  public void close() {
    solver.grader().close();
  }
}
