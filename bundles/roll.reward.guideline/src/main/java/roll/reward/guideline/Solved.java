package roll.reward.guideline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.reward.Facts;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;

/**
 * What the solver makes of an episode's guideline.
 *
 * @param with what the solver is told with a guideline
 * @param without what it is told for the comparison, or null for none
 * @param counterfactual whether what it earns without a guideline is taken off
 * @param baselines what it earns without, as far as it is known
 * @param log of all solutions, or null for none
 */
record Solved(
    FrozenSolver solver,
    SolverPrompts with,
    @Nullable SolverPrompts without,
    boolean counterfactual,
    SolverBaselines baselines,
    @Nullable SolverLog log)
    implements Reward {
  @Override
  public Grade grade(Trajectory episode, RewardModels models) throws InterruptedException {
    String question = Facts.question(episode).orElse("");
    String guideline = Cleaning.clean(episode.finalResponse());
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
   * What the solver earns without a guideline. Nobody waits for another episode that asks the same:
   * what all episodes ask is computed together once all of them wait for the model.
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
