package roll.core.plugin;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.api.plugin.Lease;

/** A policy loss whose failures end the step with a one-line message. */
public record GuardedLoss(PolicyLoss loss, PluginGuard guard) implements PolicyLoss {
  /** Wraps the leased loss, named {@code name} in the configuration. */
  public static GuardedLoss of(Lease<PolicyLoss> lease, String name) {
    return new GuardedLoss(
        lease.service(), PluginGuard.of("actor_train.pg_variant", name, lease.bundle()));
  }

  @Override
  public LossInfo info() {
    return guard.call("info", loss::info);
  }

  @Override
  public LossResult evaluate(LossInput input, Options options) {
    LossResult given = guard.call("evaluate", () -> copy(loss.evaluate(input, options)));
    int length = input.policy().logProbs().length;
    guard.requireLength("evaluate", "derivatives", given.logProbGradient(), length);
    guard.requireLength("evaluate", "derivatives by entropy", given.entropyGradient(), length);
    return given;
  }

  /** Copies the loss result of a plugin, whose maps may themselves throw. */
  private static LossResult copy(LossResult given) {
    Map<String, Double> metrics = new LinkedHashMap<>(given.metrics());
    return new LossResult(given.loss(), given.logProbGradient(), given.entropyGradient(), metrics);
  }

  @Override
  public double[] survey(LossInput whole, Options options, long[] keys) {
    double[] given = guard.call("survey", () -> loss.survey(whole, options, keys));
    guard.requireLength("survey", "numbers", given, whole.policy().logProbs().length);
    return given;
  }
}
