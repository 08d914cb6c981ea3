package roll.core.plugin;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.api.plugin.Lease;

/** A loss that can do a step no harm but to end it with one line. */
public record GuardedLoss(PolicyLoss loss, PluginGuard supervised) implements PolicyLoss {
  /** The leased one, which the configuration calls {@code name}. */
  public static GuardedLoss of(Lease<PolicyLoss> lease, String name) {
    return new GuardedLoss(
        lease.service(), PluginGuard.of("actor_train.pg_variant", name, lease.bundle()));
  }

  @Override
  public LossInfo info() {
    return supervised.call("info", loss::info);
  }

  @Override
  public LossResult evaluate(LossInput input, Options options) {
    LossResult given = supervised.call("evaluate", () -> copy(loss.evaluate(input, options)));
    int cells = input.policy().logProbs().length;
    supervised.cells("evaluate", "derivatives", given.logProbGradient(), cells);
    supervised.cells("evaluate", "derivatives by entropy", given.entropyGradient(), cells);
    return given;
  }

  /** A map of a plugin may itself throw. */
  private static LossResult copy(LossResult given) {
    Map<String, Double> metrics = new LinkedHashMap<>(given.metrics());
    return new LossResult(given.loss(), given.logProbGradient(), given.entropyGradient(), metrics);
  }

  @Override
  public double[] survey(LossInput whole, Options options, long[] keys) {
    double[] given = supervised.call("survey", () -> loss.survey(whole, options, keys));
    supervised.cells("survey", "numbers", given, whole.policy().logProbs().length);
    return given;
  }

  @Override
  public Options options(LossSettings settings) {
    return supervised.call("options", () -> loss.options(settings));
  }
}
